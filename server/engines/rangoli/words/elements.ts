import type { VocabularyEntry } from '../design.ts'

/** Sky, water, fire, weather and landscapes. */
export const elements: readonly VocabularyEntry[] = [
  {
    words:
      'sea ocean wave tide surf lagoon coast beach underwater aquatic समुद्र सागर लहर लहरें लहरों கடல் সমুদ্র 🌊',
    motifs: ['wave', 'fish', 'boat'],
    colors: ['blue', 'turquoise', 'sky', 'cobalt', 'white'],
    backgrounds: ['sea', 'sky'],
    layouts: ['waves'],
  },
  {
    words:
      'river ganga ganges ghat yamuna lake pond stream waterfall backwater water नदी गंगा घाट झील पानी जल நதி নদী',
    motifs: ['wave', 'boat', 'lotus'],
    colors: ['turquoise', 'teal', 'sky', 'gold', 'ivory'],
    backgrounds: ['teal', 'sea', 'slate'],
    layouts: ['waves'],
  },
  {
    words: 'night midnight evening dusk nocturnal raat रात रात्रि शाम இரவு রাত',
    motifs: ['moon', 'star'],
    backgrounds: ['night', 'indigo', 'ink'],
    mood: { tone: 'dark' },
  },
  {
    words: 'star starry constellation starlight tara तारा तारे तारों सितारा सितारे நட்சத்திரம் তারা ⭐ ✨ 🌟',
    motifs: ['star', 'moon'],
    colors: ['gold', 'sky', 'lavender', 'white', 'cobalt'],
    backgrounds: ['night', 'ink', 'indigo'],
    layouts: ['starburst'],
  },
  {
    words: 'moon lunar crescent moonlight moonlit moonrise chand चाँद चांद चंद्र चंद्रमा நிலா চাঁদ 🌙 🌕',
    motifs: ['moon', 'star'],
    colors: ['ivory', 'silver', 'sky', 'lavender', 'gold'],
    backgrounds: ['night', 'indigo', 'slate'],
    layouts: ['mandala', 'waves', 'starburst'],
  },
  {
    words:
      'space galaxy cosmic cosmos nebula universe astronaut planet orbit celestial interstellar saturn अंतरिक्ष ब्रह्मांड 🪐 🚀',
    motifs: ['planet', 'rocket', 'star'],
    colors: ['violet', 'magenta', 'turquoise', 'gold', 'sky'],
    backgrounds: ['ink', 'night'],
    layouts: ['starburst', 'mandala', 'blossom', 'splash'],
  },
  {
    words:
      'sun sunny sunrise sunset sunlight sunlit dawn solar morning suraj सूरज सूर्य सुबह भोर சூரியன் সূর্য ☀ 🌞 🌅',
    motifs: ['sun', 'bird'],
    colors: ['saffron', 'gold', 'vermilion', 'coral', 'yellow'],
    backgrounds: ['terracotta', 'maroon', 'cream'],
    layouts: ['starburst'],
  },
  {
    words: 'dragon phoenix fire flame burning lava volcano ember inferno blaze aag आग अग्नि ज्वाला தீ আগুন 🔥 🐉',
    motifs: ['flame', 'sun'],
    colors: ['vermilion', 'marigold', 'crimson', 'gold', 'copper'],
    backgrounds: ['ink', 'maroon', 'earth'],
    layouts: ['starburst', 'fan'],
  },
  {
    words:
      'rain monsoon cloud cloudy rainy drizzle thunder lightning storm stormy baarish barish बारिश बादल मानसून सावन वर्षा மழை বৃষ্টি মেঘ ☁ 🌧 ⛈',
    motifs: ['cloud', 'umbrella', 'wave'],
    colors: ['sky', 'cobalt', 'silver', 'turquoise', 'white'],
    backgrounds: ['slate', 'sea', 'teal'],
    layouts: ['waves', 'horizon', 'quilt'],
  },
  {
    words: 'snow snowy ice icy frost frozen winter glacier arctic बर्फ हिम सर्दी பனி বরফ ❄ ⛄',
    motifs: ['snowflake', 'fir', 'mountain'],
    colors: ['white', 'sky', 'silver', 'cobalt', 'lavender'],
    backgrounds: ['slate', 'snow', 'sea'],
    layouts: ['starburst', 'kolam', 'mandala', 'blossom'],
    order: 6,
  },
  {
    words:
      'mountain hill himalaya himalayas himalayan peak valley kashmir cliff everest पहाड़ पर्वत हिमालय மலை পাহাড় 🏔 ⛰',
    motifs: ['mountain', 'fir', 'cloud'],
    colors: ['peacock', 'lavender', 'white', 'coral', 'teal'],
    backgrounds: ['sky', 'slate', 'indigo'],
    layouts: ['horizon'],
  },
  {
    words: 'desert dune sahara thar rajasthan jaisalmer रेगिस्तान राजस्थान मरुस्थल 🏜 🐫',
    motifs: ['sun', 'dome', 'kite'],
    colors: ['saffron', 'terracotta', 'turquoise', 'crimson', 'sand'],
    backgrounds: ['sand', 'terracotta'],
    layouts: ['horizon', 'quilt', 'starburst'],
  },
  {
    words:
      'rainbow colourful colorful multicolour kaleidoscopic prism spectrum रंग रंगीन रंगबिरंगा इंद्रधनुष வானவில் রংধনু 🌈',
    motifs: ['jasmine'],
    colors: ['crimson', 'marigold', 'parrot', 'cobalt', 'violet'],
    layouts: ['splash', 'rosette', 'pookalam'],
  },
]
