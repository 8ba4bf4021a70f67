import type { VocabularyEntry } from '../design.ts'

/** Flowers, trees, fruit and seasons. */
export const plants: readonly VocabularyEntry[] = [
  {
    words: `
      lotus lotuses kamal padma waterlily कमल पद्म தாமரை পদ্ম 🪷
      తామర కమలం
      loto nenúfar
      لوتس
    `,
    motifs: ['lotus'],
    colors: ['pink', 'rose', 'ivory', 'emerald', 'gold'],
    backgrounds: ['teal', 'sea', 'forest'],
    layouts: ['rosette'],
  },
  {
    words: `
      marigold genda गेंदा
      গাঁদা
      செண்டுமல்லி
      బంతిపువ్వు బంతిపూలు
      caléndula cempasúchil
      آذريون
    `,
    motifs: ['marigold'],
    colors: ['marigold', 'orange', 'saffron', 'vermilion', 'green'],
    backgrounds: ['oxide', 'forest', 'maroon'],
    layouts: ['pookalam', 'rosette'],
  },
  {
    words: `
      flower floral blossom bloom blooming garden petal bouquet orchid rose tulip phool फूल फूलों पुष्प
      गुलाब बाग பூ பூக்கள் ফুল 🌸 🌺 🌹 💐 🌷
      बगीचा
      গোলাপ বাগান
      மலர் ரோஜா
      పువ్వు పువ్వులు పూలు పుష్పం గులాబీ
      flor jardín
      زهرة زهور أزهار وردة ورد ورود حديقة
    `,
    motifs: ['hibiscus', 'jasmine', 'leaf'],
    colors: ['rose', 'pink', 'marigold', 'violet', 'green'],
    backgrounds: ['leaf', 'cream', 'forest'],
    layouts: ['pookalam', 'rosette', 'quilt'],
  },
  {
    words: `
      jasmine chameli mogra चमेली मोगरा மல்லிகை
      জুঁই
      முல்லை
      మల్లె
      jazmín
      ياسمين
    `,
    motifs: ['jasmine'],
    colors: ['white', 'mint', 'green', 'turmeric'],
    backgrounds: ['forest', 'stone'],
    layouts: ['kolam', 'rosette'],
  },
  {
    words: `
      sunflower सूरजमुखी 🌻
      সূর্যমুখী
      சூரியகாந்தி
      పొద్దుతిరుగుడు
      girasol
    `,
    phrases: 'عباد الشمس, دوار الشمس',
    motifs: ['sunflower'],
    colors: ['yellow', 'gold', 'brown', 'green', 'orange'],
    layouts: ['rosette', 'pookalam'],
  },
  {
    words: `
      hibiscus गुड़हल
      জবা
      செம்பருத்தி
      మందారం మందార
      hibisco
      كركديه
    `,
    motifs: ['hibiscus'],
    colors: ['crimson', 'rose', 'green', 'gold'],
    layouts: ['rosette', 'pookalam'],
  },
  {
    words: `
      leaf leaves leafy foliage vine ivy fern patta पत्ता पत्ते पत्तियाँ இலை পাতা 🍃 🌿 🍂
      पत्ती
      ఆకు
      hoja
    `,
    phrases: 'أوراق الشجر, ورقة شجر',
    motifs: ['leaf', 'tree'],
    colors: ['green', 'lime', 'forest', 'gold', 'ivory'],
    backgrounds: ['leaf', 'forest', 'cream'],
    layouts: ['alpona', 'rosette'],
  },
  {
    words: `
      tree forest jungle woods banyan peepal grove rainforest ped पेड़ वृक्ष जंगल वन மரம் காடு গাছ বন
      🌳
      জঙ্গল
      చెట్టు చెట్లు వృక్షం అడవి
      árbol bosque selva
      شجرة شجر أشجار غابة غابات
    `,
    motifs: ['tree', 'leaf'],
    colors: ['green', 'emerald', 'olive', 'gold', 'ivory'],
    backgrounds: ['forest', 'leaf', 'earth'],
    layouts: ['horizon', 'alpona'],
  },
  {
    words: `
      palm coconut island tropical नारियल தென்னை 🌴 🏝
      ताड़
      নারকেল
      பனை
      కొబ్బరి
      palmera
      نخلة نخيل نخل
    `,
    motifs: ['palm', 'wave'],
    colors: ['green', 'turquoise', 'gold', 'coral'],
    layouts: ['horizon', 'waves'],
  },
  {
    words: `
      mushroom fungus 🍄
      मशरूम कुकुरमुत्ता
      মাশরুম
      காளான்
      పుట్టగొడుగు
      hongo seta champiñón
      مشروم
    `,
    motifs: ['mushroom', 'leaf'],
    colors: ['vermilion', 'forest', 'lavender', 'ivory'],
    layouts: ['horizon', 'quilt'],
  },
  {
    words: `
      wheat rice paddy harvest field farm grain straw crop फसल खेत गेहूँ धान நெல் ধান 🌾
      গম
      கோதுமை
      గోధుమ వరి
      trigo cosecha
      قمح سنابل
    `,
    motifs: ['wheat', 'sun'],
    colors: ['turmeric', 'gold', 'green', 'copper', 'ivory'],
    backgrounds: ['earth', 'leaf', 'sand'],
    layouts: ['horizon', 'quilt', 'mandala'],
  },
  {
    words: `
      mango paisley aam आम மாம்பழம் আম 🥭
      மாங்காய்
      మామిడి
      مانجو
    `,
    motifs: ['paisley', 'leaf'],
    colors: ['turmeric', 'parrot', 'orange', 'crimson'],
    backgrounds: ['leaf', 'cream', 'maroon'],
    layouts: ['alpona', 'mandala', 'blossom', 'quilt'],
  },
  {
    words: `
      spring summer autumn fall season वसंत बसंत ऋतु
      primavera otoño
      ربيع خريف
      বসন্ত
      வசந்தம்
      వసంతం
    `,
    motifs: ['leaf', 'jasmine'],
    colors: ['marigold', 'coral', 'parrot', 'rose'],
    layouts: ['rosette', 'pookalam'],
  },
  {
    words: `
      fir pine spruce conifer cedar
      देवदार चीड़
      abeto pino
      صنوبر
      🌲
      পাইন
      தேவதாரு
      దేవదారు
    `,
    motifs: ['fir', 'mountain'],
    colors: ['forest', 'green', 'white', 'teal', 'gold'],
    backgrounds: ['forest', 'slate', 'snow'],
    layouts: ['horizon', 'mandala', 'quilt'],
  },
]
