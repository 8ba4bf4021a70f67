import type { VocabularyEntry } from '../design.ts'

/** Fire, mountains and what is in the sky. */
export const elements: readonly VocabularyEntry[] = [
  {
    words: `
      star starry constellation starlight tara तारा तारे तारों सितारा सितारे நட்சத்திரம் ⭐ ✨ 🌟
      নক্ষত্র তারকা
      விண்மீன்
      నక్షత్రం నక్షత్రాలు
      estrella estrellado estrellada
      نجمة نجم نجوم
    `,
    motifs: ['star'],
    colors: ['gold', 'sky', 'lavender', 'white', 'cobalt'],
    backgrounds: ['night', 'ink', 'indigo'],
    layouts: ['starburst'],
  },
  {
    words: `
      moon lunar crescent moonlight moonlit moonrise chand चाँद चंद्र चंद्रमा நிலா চাঁদ 🌙 🌕
      சந்திரன் நிலவு
      చంద్రుడు చందమామ జాబిల్లి
      luna
      قمر أقمار هلال
    `,
    motifs: ['moon', 'star'],
    colors: ['ivory', 'silver', 'sky', 'lavender', 'gold'],
    backgrounds: ['night', 'indigo', 'slate'],
    layouts: ['mandala', 'waves', 'starburst'],
  },
  {
    words: `
      space galaxy cosmic cosmos nebula universe planet orbit celestial interstellar saturn अंतरिक्ष
      ब्रह्मांड 🪐
      ग्रह
      মহাকাশ গ্রহ
      விண்வெளி கிரகம்
      అంతరిక్షం గ్రహం గ్రహాలు
      espacio galaxia planeta
      فضاء مجرة كوكب كواكب
    `,
    motifs: ['planet', 'star'],
    colors: ['violet', 'magenta', 'turquoise', 'gold', 'sky'],
    backgrounds: ['ink', 'night'],
    layouts: ['starburst', 'mandala', 'blossom', 'splash'],
  },
  {
    words: `
      sun sunny sunrise sunset sunlight sunlit dawn solar morning suraj सूरज सूर्य सुबह भोर சூரியன் সূর্য
      ☀ 🌞 🌅
      সূর্যোদয়
      సూర్యుడు సూర్యోదయం
      sol amanecer
      شمس شروق غروب
    `,
    motifs: ['sun'],
    colors: ['saffron', 'gold', 'vermilion', 'coral', 'yellow'],
    backgrounds: ['terracotta', 'maroon', 'cream'],
    layouts: ['starburst'],
  },
  {
    words: `
      fire flame burning lava volcano ember inferno blaze aag आग अग्नि ज्वाला தீ আগুন 🔥
      நெருப்பு
      అగ్ని మంట నిప్పు
      fuego
      نار نيران لهب
    `,
    motifs: ['flame'],
    colors: ['vermilion', 'marigold', 'crimson', 'gold', 'copper'],
    backgrounds: ['ink', 'maroon', 'earth'],
    layouts: ['starburst', 'fan'],
  },
  {
    words: `
      mountain hill himalaya himalayas himalayan peak valley kashmir cliff everest पहाड़ पर्वत हिमालय மலை
      পাহাড় 🏔 ⛰
      पहाड़ी
      পর্বত
      పర్వతం పర్వతాలు కొండ కొండలు
      montaña cerro
      جبل جبال
    `,
    motifs: ['mountain', 'fir'],
    colors: ['peacock', 'lavender', 'white', 'coral', 'teal'],
    backgrounds: ['sky', 'slate', 'indigo'],
    layouts: ['horizon'],
  },
]

/** Water, weather and landscapes. Things take precedence over them as the subject of a prompt. */
export const scenes: readonly VocabularyEntry[] = [
  {
    words: `
      sea ocean wave tide surf lagoon coast beach underwater aquatic समुद्र सागर लहर लहरें लहरों கடல்
      সমুদ্র 🌊
      reef समंदर
      সাগর ঢেউ
      அலை
      సముద్రం కడలి అలలు
      mar océano ola playa
      بحر بحار محيط موجة موج أمواج
    `,
    motifs: ['wave', 'fish'],
    colors: ['blue', 'turquoise', 'sky', 'cobalt', 'white'],
    backgrounds: ['sea', 'sky'],
    layouts: ['waves'],
  },
  {
    words: `
      river ganga ganges ghat yamuna lake pond stream waterfall backwater water नदी गंगा घाट झील पानी जल
      நதி নদী
      तालाब झरना
      হ্রদ পুকুর ঝর্ণা
      ஏரி குளம் அருவி தண்ணீர்
      నది నదులు చెరువు సరస్సు జలపాతం
      río lago agua cascada estanque
      نهر أنهار بحيرة شلال
    `,
    motifs: ['wave', 'lotus'],
    colors: ['turquoise', 'teal', 'sky', 'gold', 'ivory'],
    backgrounds: ['teal', 'sea', 'slate'],
    layouts: ['waves'],
  },
  {
    words: `
      night midnight evening dusk nocturnal raat रात रात्रि शाम இரவு রাত
      রাত্রি সন্ধ্যা
      రాత్రి సాయంత్రం
      noche medianoche anochecer
      ليل ليلة مساء
    `,
    motifs: ['moon', 'star'],
    backgrounds: ['night', 'indigo', 'ink'],
    mood: { tone: 'dark' },
  },
  {
    words: `
      rain monsoon cloud cloudy rainy drizzle thunder lightning storm stormy baarish barish बारिश बादल
      मानसून सावन वर्षा மழை বৃষ্টি মেঘ ☁ 🌧 ⛈
      मेघ
      বর্ষা
      மேகம்
      వర్షం వాన మేఘం మేఘాలు
      lluvia lluvioso nube tormenta
      مطر أمطار غيمة غيوم سحابة سحاب سحب
    `,
    motifs: ['cloud'],
    colors: ['sky', 'cobalt', 'silver', 'turquoise', 'white'],
    backgrounds: ['slate', 'sea', 'teal'],
    layouts: ['waves', 'horizon', 'quilt'],
  },
  {
    words: `
      snow snowy ice icy frost frozen winter glacier arctic बर्फ हिम सर्दी பனி বরফ ❄ ⛄
      তুষার
      మంచు
      nieve nevado invierno copo
      ثلج ثلوج شتاء
    `,
    motifs: ['snowflake', 'fir'],
    colors: ['white', 'sky', 'silver', 'cobalt', 'lavender'],
    backgrounds: ['slate', 'snow', 'sea'],
    layouts: ['starburst', 'kolam', 'mandala', 'blossom'],
    order: 6,
  },
  {
    words: `
      desert dune sahara thar rajasthan jaisalmer रेगिस्तान राजस्थान मरुस्थल 🏜
      মরুভূমি
      பாலைவனம்
      ఎడారి
      desierto
      صحراء
    `,
    motifs: ['sun'],
    colors: ['saffron', 'terracotta', 'turquoise', 'crimson', 'sand'],
    backgrounds: ['sand', 'terracotta'],
    layouts: ['horizon', 'quilt', 'starburst'],
  },
  {
    words: `
      rainbow colourful colorful multicolour kaleidoscopic रंग रंगीन रंगबिरंगा इंद्रधनुष வானவில் রংধনু 🌈
      রামধনু
      ఇంద్రధనుస్సు హరివిల్లు
      arcoíris
    `,
    phrases: 'قوس قزح',
    motifs: ['jasmine'],
    colors: ['crimson', 'marigold', 'parrot', 'cobalt', 'violet'],
    layouts: ['splash', 'rosette', 'pookalam'],
  },
]
