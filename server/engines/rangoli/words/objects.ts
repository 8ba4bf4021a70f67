import type { VocabularyEntry } from '../design.ts'

/** Lights, machines, vessels and toys. */
export const objects: readonly VocabularyEntry[] = [
  {
    words: `
      diya diyas lamp lamplight candle candlelight deepam deepak दीया दीये दीप दीपक விளக்கு প্রদীপ 🕯
      मोमबत्ती चिराग
      দীপ মোমবাতি
      தீபம் மெழுகுவர்த்தி
      దీపం దీపాలు ప్రమిద కొవ్వొత్తి
      lámpara vela
      مصباح مصابيح شمعة شموع
    `,
    motifs: ['diya', 'flame'],
    colors: ['marigold', 'vermilion', 'gold', 'magenta'],
    backgrounds: ['night', 'plum', 'maroon'],
    layouts: ['mandala', 'blossom', 'horizon'],
  },
  {
    words: `
      lantern lanterns लालटेन कंदील 🏮
      লণ্ঠন
      லாந்தர்
      లాంతరు
      farol farolillo linterna
      فانوس فوانيس
    `,
    motifs: ['lantern', 'star'],
    colors: ['gold', 'vermilion', 'coral', 'ivory'],
    backgrounds: ['night', 'ink', 'plum'],
    layouts: ['mandala', 'horizon'],
  },
  {
    words: `
      firework fireworks sparkler आतिशबाज़ी पटाखे 🎆 🎇
      पटाखा
      আতশবাজি
      பட்டாசு வாணவேடிக்கை
      బాణసంచా టపాసులు
      pirotecnia
    `,
    phrases: 'fuegos artificiales, ألعاب نارية, الألعاب النارية',
    motifs: ['firework', 'star'],
    colors: ['gold', 'magenta', 'turquoise', 'violet', 'parrot'],
    backgrounds: ['ink', 'night'],
    layouts: ['splash', 'starburst'],
  },
  {
    words: `
      kite patang पतंग பட்டம் ঘুড়ি
      గాలిపటం గాలిపటాలు
      papalote barrilete
    `,
    phrases: 'طائرة ورقية, طائرات ورقية',
    motifs: ['kite'],
    colors: ['vermilion', 'turmeric', 'cobalt', 'parrot', 'magenta'],
    backgrounds: ['sky', 'sea'],
    layouts: ['quilt', 'starburst', 'mandala', 'blossom'],
  },
  {
    words: `
      bell ghanta घंटी மணி 🔔
      ঘণ্টি
      గుడిగంట
      campana
      جرس أجراس
    `,
    motifs: ['bell', 'lotus'],
    colors: ['gold', 'copper', 'crimson', 'ivory'],
    layouts: ['mandala', 'blossom'],
  },
  {
    words: `
      pot kalash matka pottery vase jar कलश मटका घड़ा பானை 🏺
      কলসি হাঁড়ি
      குடம்
      కుండ కుండలు కలశం
      olla vasija jarrón
      جرة جرار
    `,
    motifs: ['pot', 'leaf'],
    colors: ['terracotta', 'turmeric', 'teal', 'ivory'],
    layouts: ['mandala', 'quilt'],
  },
  {
    words: `
      tea chai coffee cup चाय कॉफ़ी தேநீர் চা ☕ 🍵
      प्याला
      কফি পেয়ালা
      காபி
      చాయ్ కాఫీ
      taza
      شاي قهوة فنجان كوب أكواب
    `,
    motifs: ['cup', 'leaf'],
    colors: ['copper', 'green', 'terracotta', 'gold', 'ivory'],
    backgrounds: ['cream', 'earth', 'leaf'],
    layouts: ['quilt', 'mandala', 'blossom'],
  },
  {
    words: `
      book library किताब पुस्तक புத்தகம் বই 📚 📖
      పుస్తకం పుస్తకాలు
      libro biblioteca
      كتاب مكتبة
    `,
    motifs: ['book'],
    colors: ['copper', 'teal', 'crimson', 'gold', 'ivory'],
    layouts: ['quilt', 'mandala', 'jaali'],
  },
  {
    words: `
      clock घड़ी ⏰ 🕰
      clockmaker timepiece
      ঘড়ি
      கடிகாரம்
      గడియారం
      reloj
    `,
    phrases: 'ساعة حائط',
    motifs: ['clock', 'gear'],
    colors: ['gold', 'copper', 'teal', 'ivory', 'plum'],
    layouts: ['mandala', 'blossom', 'starburst'],
    order: 12,
  },
  {
    words: `
      wheel chakra chariot चक्र पहिया रथगाड़ी சக்கரம் চাকা 🎡
      চক্র
      చక్రం చక్రాలు
      rueda
      عجلة عجلات
    `,
    motifs: ['wheel'],
    colors: ['vermilion', 'gold', 'cobalt', 'ivory'],
    layouts: ['mandala', 'starburst'],
    order: 16,
  },
  {
    words: `
      robot android cyborg रोबोट 🤖
      রোবট
      ரோபோ
      రోబో రోబోట్
      روبوت
    `,
    motifs: ['robot', 'gear', 'circuit'],
    colors: ['turquoise', 'orange', 'magenta', 'silver'],
    backgrounds: ['slate', 'ink'],
    layouts: ['jaali', 'quilt', 'mandala', 'blossom'],
    order: 8,
  },
  {
    words: `
      cyber cyberpunk digital computer hologram holographic futuristic synthwave vaporwave pixel code
      algorithm neural vr 💻
      circuit कंप्यूटर
      কম্পিউটার
      கணினி
      కంప్యూటర్
      circuito computadora ordenador
      كمبيوتر حاسوب
    `,
    motifs: ['circuit', 'robot'],
    colors: ['magenta', 'turquoise', 'violet', 'lime', 'sky'],
    backgrounds: ['ink', 'night'],
    layouts: ['jaali', 'starburst'],
    order: 8,
    mood: { chroma: 1.25, tone: 'dark' },
  },
  {
    words: `
      steampunk gear clockwork ⚙
      cogwheel गियर
      গিয়ার
      பற்சக்கரம்
      గేర్
      engranaje
      ترس تروس
    `,
    motifs: ['gear', 'clock'],
    colors: ['copper', 'gold', 'teal', 'ivory', 'brown'],
    backgrounds: ['earth', 'slate'],
    layouts: ['mandala', 'jaali'],
  },
  {
    words: `
      crystal gem gemstone diamond jewel jewellery jewelry रत्न हीरा गहना রত্ন 💎
      হীরা
      ரத்தினம் வைரம்
      రత్నం రత్నాలు వజ్రం
      gema joya diamante
      جوهرة جواهر ماسة
    `,
    motifs: ['gem'],
    colors: ['turquoise', 'violet', 'rose', 'emerald', 'gold'],
    layouts: ['jaali', 'starburst', 'rosette'],
  },
  {
    words: `
      rocket spaceship shuttle रॉकेट
      রকেট
      ராக்கெட்
      రాకెట్
      cohete
      صاروخ صواريخ 🚀
    `,
    motifs: ['rocket', 'planet', 'star'],
    colors: ['vermilion', 'turquoise', 'gold', 'silver'],
    backgrounds: ['ink', 'night'],
    layouts: ['starburst', 'horizon'],
  },
  {
    words: `
      balloon airship zeppelin गुब्बारा 🎈
      বেলুন
      பலூன்
      బెలూన్
      globo
      بالون بالونات منطاد
    `,
    motifs: ['balloon', 'cloud'],
    colors: ['coral', 'sky', 'turmeric', 'mint', 'rose'],
    backgrounds: ['sky', 'lilac', 'blush'],
    layouts: ['horizon', 'quilt', 'mandala', 'blossom'],
  },
  {
    words: `
      umbrella parasol छाता छतरी குடை ছাতা ☂ ☔
      గొడుగు
      paraguas sombrilla
      مظلة مظلات
    `,
    motifs: ['umbrella'],
    colors: ['vermilion', 'turmeric', 'sky', 'teal'],
    layouts: ['mandala', 'quilt'],
  },
  {
    words: `
      bowl soup food meal fruit noodle ramen
      कटोरा कटोरी फल
      বাটি ফল
      கிண்ணம் பழம்
      గిన్నె పండు పండ్లు
      cuenco tazón fruta sopa
      وعاء فاكهة فواكه حساء
      🥣 🍲 🍜
    `,
    motifs: ['bowl', 'leaf'],
    colors: ['terracotta', 'turmeric', 'crimson', 'green', 'ivory'],
    backgrounds: ['cream', 'earth', 'leaf'],
    layouts: ['quilt', 'mandala', 'blossom'],
  },
]
