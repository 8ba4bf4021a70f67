import type { VocabularyEntry } from '../design.ts'

/** Festivals and customs. They take precedence over other subjects of a prompt. */
export const festivals: readonly VocabularyEntry[] = [
  {
    words: `
      diwali deepavali deepawali dipawali दिवाली दीवाली दीपावली தீபாவளி দীপাবলি দিওয়ালি 🪔
      దీపావళి
      ديوالي
    `,
    motifs: ['diya', 'lotus', 'firework'],
    colors: ['marigold', 'vermilion', 'magenta', 'gold', 'turquoise'],
    backgrounds: ['night', 'indigo', 'plum'],
    layouts: ['mandala', 'blossom', 'horizon', 'starburst'],
  },
  {
    words: `
      holi gulal pichkari rangwali phagwah होली गुलाल पिचकारी फाग হোলি ஹோலி
      హోలీ
      هولي
    `,
    motifs: ['dancer', 'hand', 'drum'],
    colors: ['magenta', 'turmeric', 'turquoise', 'violet', 'parrot'],
    backgrounds: ['cream', 'snow', 'ink'],
    layouts: ['splash'],
  },
  {
    words: 'onam pookalam athapoo vallamkali ओणम ஓணம் ഓണം',
    motifs: ['marigold', 'boat', 'elephant'],
    colors: ['marigold', 'vermilion', 'ivory', 'magenta', 'green'],
    backgrounds: ['oxide', 'earth', 'cream'],
    layouts: ['pookalam'],
  },
  {
    words: `
      pongal jallikattu पोंगल பொங்கல்
      పొంగల్
    `,
    motifs: ['pot', 'sun', 'wheat', 'cow'],
    colors: ['turmeric', 'vermilion', 'ivory', 'copper', 'green'],
    backgrounds: ['oxide', 'terracotta'],
    layouts: ['kolam', 'mandala'],
  },
  {
    words: `
      navratri navaratri garba dandiya golu नवरात्रि नवरात्र गरबा डांडिया நவராத்திரி
      নবরাত্রি
      నవరాత్రి
    `,
    motifs: ['dancer', 'drum', 'diya'],
    colors: ['crimson', 'marigold', 'magenta', 'emerald', 'turquoise'],
    backgrounds: ['maroon', 'plum', 'indigo'],
    layouts: ['starburst', 'mandala', 'blossom'],
  },
  {
    words: `
      ganesh ganesha ganapati ganpati chaturthi vinayaka गणेश गणपति चतुर्थी विनायक விநாயகர்
      গণেশ
      பிள்ளையார்
      గణేశుడు గణపతి వినాయకుడు
      غانيشا
    `,
    motifs: ['ganesha', 'hibiscus', 'lotus'],
    colors: ['saffron', 'crimson', 'gold', 'pink', 'green'],
    backgrounds: ['maroon', 'oxide', 'cream'],
    layouts: ['mandala', 'horizon', 'rosette'],
  },
  {
    words: `
      durga puja pujo mahishasura दुर्गा पूजा দুর্গা পূজা দুর্গাপূজা
      துர்கை
      దుర్గ
    `,
    motifs: ['trident', 'lotus', 'eye', 'tiger'],
    colors: ['crimson', 'gold', 'vermilion', 'pink', 'ivory'],
    backgrounds: ['oxide', 'maroon'],
    layouts: ['alpona', 'mandala', 'blossom'],
  },
  {
    words: `
      eid ramadan ramzan iftar ईद रमज़ान ঈদ
      ரமலான் ரம்ஜான்
      రంజాన్
      رمضان
    `,
    phrases: 'عيد الفطر, عيد الأضحى',
    motifs: ['moon', 'lantern', 'dome', 'star'],
    colors: ['emerald', 'gold', 'turquoise', 'ivory', 'mint'],
    backgrounds: ['teal', 'night', 'forest'],
    layouts: ['jaali', 'girih', 'horizon'],
  },
  {
    words: `
      christmas xmas santa क्रिसमस बड़ादिन বড়দিন 🎄
      கிறிஸ்துமஸ்
      క్రిస్మస్
      navidad
      كريسماس
    `,
    motifs: ['fir', 'star', 'bell', 'snowflake'],
    colors: ['crimson', 'green', 'gold', 'white', 'forest'],
    backgrounds: ['forest', 'maroon', 'snow'],
    layouts: ['horizon', 'mandala', 'starburst'],
  },
  {
    words: `
      sankranti uttarayan makar संक्रांति मकर उत्तरायण সংক্রান্তি 🪁
      సంక్రాంతి
    `,
    motifs: ['kite', 'sun', 'wheat'],
    colors: ['vermilion', 'turmeric', 'magenta', 'cobalt', 'parrot'],
    backgrounds: ['sky', 'sea', 'cream'],
    layouts: ['starburst', 'quilt', 'mandala', 'blossom'],
  },
  {
    words: `
      raksha rakhi bandhan rakshabandhan राखी रक्षाबंधन रक्षा বন্ধন রাখি
      ராக்கி
      రాఖీ
    `,
    motifs: ['rakhi', 'diya', 'paisley'],
    colors: ['crimson', 'gold', 'pink', 'emerald', 'ivory'],
    backgrounds: ['blush', 'cream', 'maroon'],
    layouts: ['rosette', 'mandala'],
  },
  {
    words: `
      janmashtami krishna dahi handi kanha radha जन्माष्टमी कृष्ण कान्हा राधा दही हांडी কৃষ্ণ கிருஷ்ணா
      কানাই
      కృష్ణుడు
      كريشنا
    `,
    motifs: ['feather', 'pot', 'cow'],
    colors: ['peacock', 'gold', 'turquoise', 'ivory', 'emerald'],
    backgrounds: ['indigo', 'night', 'teal'],
    layouts: ['mandala', 'blossom', 'fan'],
  },
  {
    words: 'bihu rongali magh बिहू বিহু',
    motifs: ['drum', 'dancer', 'wheat'],
    colors: ['crimson', 'green', 'gold', 'vermilion', 'ivory'],
    backgrounds: ['cream', 'leaf', 'forest'],
    layouts: ['quilt', 'horizon'],
  },
  {
    words: 'lohri bonfire लोहड़ी अलाव',
    motifs: ['flame', 'drum', 'dancer'],
    colors: ['vermilion', 'marigold', 'crimson', 'gold', 'copper'],
    backgrounds: ['ink', 'earth', 'night'],
    layouts: ['starburst', 'horizon'],
  },
  {
    words: 'baisakhi vaisakhi bhangra gurpurab बैसाखी वैशाखी भांगड़ा गुरुपर्व',
    motifs: ['wheat', 'drum', 'dancer'],
    colors: ['turmeric', 'orange', 'parrot', 'cobalt', 'ivory'],
    backgrounds: ['leaf', 'cream', 'forest'],
    layouts: ['horizon', 'mandala'],
  },
  {
    words: `
      shivratri mahashivratri shiva shiv mahadev शिवरात्रि शिव महादेव
      শিব শিবরাত্রি
      சிவன்
      శివుడు శివరాత్రి
    `,
    motifs: ['trident', 'moon', 'drum'],
    colors: ['silver', 'sky', 'white', 'saffron', 'cobalt'],
    backgrounds: ['night', 'slate', 'indigo'],
    layouts: ['mandala', 'blossom', 'starburst'],
  },
  {
    words: 'chhath chhat छठ',
    motifs: ['sun', 'wave', 'diya'],
    colors: ['saffron', 'coral', 'turmeric', 'rose', 'ivory'],
    backgrounds: ['plum', 'terracotta'],
    layouts: ['waves'],
  },
  {
    words: 'theyyam kathakali yakshagana chhau थेय्यम कथकली',
    motifs: ['mask', 'flame', 'palm'],
    colors: ['vermilion', 'gold', 'emerald', 'ivory', 'crimson'],
    backgrounds: ['ink', 'maroon', 'forest'],
    layouts: ['mandala', 'fan'],
  },
  {
    words: `
      losar ladakh buddha monastery thangka lama बुद्ध लद्दाख
      বুদ্ধ
      புத்தர்
      బుద్ధుడు
      بوذا
    `,
    motifs: ['wheel', 'lotus', 'mountain'],
    colors: ['cobalt', 'vermilion', 'gold', 'emerald', 'ivory'],
    backgrounds: ['maroon', 'teal', 'sky'],
    layouts: ['jaali', 'mandala', 'blossom', 'rosette'],
  },
  {
    words: 'rath yatra puri jagannath रथ यात्रा जगन्नाथ',
    motifs: ['wheel', 'temple', 'eye'],
    colors: ['crimson', 'turmeric', 'white', 'forest', 'gold'],
    backgrounds: ['ink', 'oxide', 'cream'],
    layouts: ['starburst', 'mandala'],
  },
  {
    words: `
      thrissur pooram dasara dussehra mysuru दशहरा पूरम
      தசரா దసరా
    `,
    motifs: ['elephant', 'umbrella', 'firework', 'crown'],
    colors: ['gold', 'crimson', 'emerald', 'magenta', 'ivory'],
    backgrounds: ['plum', 'maroon', 'forest'],
    layouts: ['mandala', 'blossom', 'quilt'],
  },
  {
    words: `
      wedding bride mehndi mehendi shaadi शादी विवाह दुल्हन मेहँदी
      বিয়ে
      திருமணம்
      పెళ్లి వివాహం
      boda
      زفاف عروس
    `,
    motifs: ['paisley', 'hand'],
    colors: ['crimson', 'gold', 'rose', 'ivory', 'emerald'],
    backgrounds: ['maroon', 'cream', 'forest'],
    layouts: ['alpona', 'mandala'],
  },
  {
    words: 'hornbill nagaland warli gond madhubani adivasi tribal वारली मधुबनी गोंड',
    motifs: ['dancer', 'bird', 'tree', 'fish'],
    colors: ['ivory', 'vermilion', 'marigold', 'teal', 'forest'],
    backgrounds: ['oxide', 'earth', 'ink'],
    layouts: ['quilt', 'alpona', 'horizon'],
  },
]
