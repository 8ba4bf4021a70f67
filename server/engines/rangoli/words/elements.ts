import type { Entry } from './entry.ts'

/** Sky, water, fire, weather and land. */
export const elements: readonly Entry[] = [
  {
    words:
      'sea ocean wave tide surf lagoon coast beach underwater aquatic समुद्र सागर लहर लहरें लहरों கடல் সমুদ্র 🌊',
    motifs: ['wave', 'fish', 'boat'],
    colours: ['blue', 'turquoise', 'sky', 'cobalt', 'white'],
    grounds: ['sea', 'sky'],
    structures: ['waves'],
  },
  {
    words:
      'river ganga ganges ghat yamuna lake pond stream waterfall backwater water नदी गंगा घाट झील पानी जल நதி নদী',
    motifs: ['wave', 'boat', 'lotus'],
    colours: ['turquoise', 'teal', 'sky', 'gold', 'ivory'],
    grounds: ['teal', 'sea', 'slate'],
    structures: ['waves'],
  },
  {
    words: 'night midnight evening dusk nocturnal raat रात रात्रि शाम இரவு রাত',
    motifs: ['moon', 'star'],
    grounds: ['night', 'indigo', 'ink'],
    mood: { tone: 'dark' },
  },
  {
    words: 'star starry constellation starlight tara तारा तारे तारों सितारा सितारे நட்சத்திரம் তারা ⭐ ✨ 🌟',
    motifs: ['star', 'moon'],
    colours: ['gold', 'sky', 'lavender', 'white', 'cobalt'],
    grounds: ['night', 'ink', 'indigo'],
    structures: ['starburst'],
  },
  {
    words: 'moon lunar crescent moonlight moonlit moonrise chand चाँद चांद चंद्र चंद्रमा நிலா চাঁদ 🌙 🌕',
    motifs: ['moon', 'star'],
    colours: ['ivory', 'silver', 'sky', 'lavender', 'gold'],
    grounds: ['night', 'indigo', 'slate'],
    structures: ['mandala', 'waves', 'starburst'],
  },
  {
    words:
      'space galaxy cosmic cosmos nebula universe astronaut planet orbit celestial interstellar saturn अंतरिक्ष ब्रह्मांड 🪐 🚀',
    motifs: ['planet', 'rocket', 'star'],
    colours: ['violet', 'magenta', 'turquoise', 'gold', 'sky'],
    grounds: ['ink', 'night'],
    structures: ['starburst', 'mandala', 'blossom', 'splash'],
  },
  {
    words:
      'sun sunny sunrise sunset sunlight sunlit dawn solar morning suraj सूरज सूर्य सुबह भोर சூரியன் সূর্য ☀ 🌞 🌅',
    motifs: ['sun', 'bird'],
    colours: ['saffron', 'gold', 'vermilion', 'coral', 'yellow'],
    grounds: ['terracotta', 'maroon', 'cream'],
    structures: ['starburst'],
  },
  {
    words: 'dragon phoenix fire flame burning lava volcano ember inferno blaze aag आग अग्नि ज्वाला தீ আগুন 🔥 🐉',
    motifs: ['flame', 'sun'],
    colours: ['vermilion', 'marigold', 'crimson', 'gold', 'copper'],
    grounds: ['ink', 'maroon', 'earth'],
    structures: ['starburst', 'fan'],
  },
  {
    words:
      'rain monsoon cloud cloudy rainy drizzle thunder lightning storm stormy baarish barish बारिश बादल मानसून सावन वर्षा மழை বৃষ্টি মেঘ ☁ 🌧 ⛈',
    motifs: ['cloud', 'umbrella', 'wave'],
    colours: ['sky', 'cobalt', 'silver', 'turquoise', 'white'],
    grounds: ['slate', 'sea', 'teal'],
    structures: ['waves', 'horizon', 'quilt'],
  },
  {
    words: 'snow snowy ice icy frost frozen winter glacier arctic बर्फ हिम सर्दी பனி বরফ ❄ ⛄',
    motifs: ['snowflake', 'fir', 'mountain'],
    colours: ['white', 'sky', 'silver', 'cobalt', 'lavender'],
    grounds: ['slate', 'snow', 'sea'],
    structures: ['starburst', 'kolam', 'mandala', 'blossom'],
    order: 6,
  },
  {
    words:
      'mountain hill himalaya himalayas himalayan peak valley kashmir cliff everest पहाड़ पर्वत हिमालय மலை পাহাড় 🏔 ⛰',
    motifs: ['mountain', 'fir', 'cloud'],
    colours: ['peacock', 'lavender', 'white', 'coral', 'teal'],
    grounds: ['sky', 'slate', 'indigo'],
    structures: ['horizon'],
  },
  {
    words: 'desert dune sahara thar rajasthan jaisalmer रेगिस्तान राजस्थान मरुस्थल 🏜 🐫',
    motifs: ['sun', 'dome', 'kite'],
    colours: ['saffron', 'terracotta', 'turquoise', 'crimson', 'sand'],
    grounds: ['sand', 'terracotta'],
    structures: ['horizon', 'quilt', 'starburst'],
  },
  {
    words:
      'rainbow colourful colorful multicolour kaleidoscopic prism spectrum रंग रंगीन रंगबिरंगा इंद्रधनुष வானவில் রংধনু 🌈',
    motifs: ['jasmine'],
    colours: ['crimson', 'marigold', 'parrot', 'cobalt', 'violet'],
    structures: ['splash', 'rosette', 'pookalam'],
  },
]
