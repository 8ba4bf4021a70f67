import type { VocabularyEntry } from '../design.ts'

/** Flowers, trees, fruit and seasons. */
export const plants: readonly VocabularyEntry[] = [
  {
    words: 'lotus lotuses kamal padma lily waterlily कमल पद्म தாமரை পদ্ম 🪷',
    motifs: ['lotus'],
    colors: ['pink', 'rose', 'ivory', 'emerald', 'gold'],
    backgrounds: ['teal', 'sea', 'forest'],
    layouts: ['rosette'],
  },
  {
    words: 'marigold genda गेंदा',
    motifs: ['marigold'],
    colors: ['marigold', 'orange', 'saffron', 'vermilion', 'green'],
    backgrounds: ['oxide', 'forest', 'maroon'],
    layouts: ['pookalam', 'rosette'],
  },
  {
    words:
      'flower floral blossom bloom blooming garden petal bouquet orchid rose tulip phool फूल फूलों पुष्प गुलाब बाग பூ பூக்கள் ফুল 🌸 🌺 🌹 💐 🌷',
    motifs: ['hibiscus', 'jasmine', 'leaf'],
    colors: ['rose', 'pink', 'marigold', 'violet', 'green'],
    backgrounds: ['leaf', 'cream', 'forest'],
    layouts: ['pookalam', 'rosette', 'quilt'],
  },
  {
    words: 'jasmine chameli mogra चमेली मोगरा மல்லிகை',
    motifs: ['jasmine'],
    colors: ['white', 'mint', 'green', 'turmeric'],
    backgrounds: ['forest', 'stone'],
    layouts: ['kolam', 'rosette'],
  },
  {
    words: 'sunflower daisy सूरजमुखी 🌻 🌼',
    motifs: ['sunflower'],
    colors: ['yellow', 'gold', 'brown', 'green', 'orange'],
    layouts: ['rosette', 'pookalam'],
  },
  {
    words: 'hibiscus गुड़हल',
    motifs: ['hibiscus'],
    colors: ['crimson', 'rose', 'green', 'gold'],
    layouts: ['rosette', 'pookalam'],
  },
  {
    words: 'leaf leaves leafy foliage vine ivy fern patta पत्ता पत्ते पत्तियाँ இலை পাতা 🍃 🌿 🍂',
    motifs: ['leaf', 'tree'],
    colors: ['green', 'lime', 'forest', 'gold', 'ivory'],
    backgrounds: ['leaf', 'forest', 'cream'],
    layouts: ['alpona', 'rosette'],
  },
  {
    words:
      'tree forest jungle wood woods banyan peepal grove rainforest bamboo ped पेड़ वृक्ष जंगल वन பாடல் மரம் காடு গাছ বন 🌳 🌲',
    motifs: ['tree', 'leaf', 'bird'],
    colors: ['green', 'emerald', 'olive', 'gold', 'ivory'],
    backgrounds: ['forest', 'leaf', 'earth'],
    layouts: ['horizon', 'alpona'],
  },
  {
    words: 'palm coconut island tropical नारियल தென்னை 🌴 🏝',
    motifs: ['palm', 'wave', 'boat'],
    colors: ['green', 'turquoise', 'gold', 'coral'],
    layouts: ['horizon', 'waves'],
  },
  {
    words: 'mushroom fungus fairy pixie gnome 🍄',
    motifs: ['mushroom', 'leaf', 'butterfly'],
    colors: ['vermilion', 'forest', 'lavender', 'ivory'],
    layouts: ['horizon', 'quilt'],
  },
  {
    words: 'wheat rice paddy harvest field farm farmer grain straw crop फसल खेत गेहूँ धान किसान நெல் ধান 🌾',
    motifs: ['wheat', 'sun', 'cow'],
    colors: ['turmeric', 'gold', 'green', 'copper', 'ivory'],
    backgrounds: ['earth', 'leaf', 'sand'],
    layouts: ['horizon', 'quilt', 'mandala'],
  },
  {
    words: 'mango paisley aam fruit आम மாம்பழம் আম 🥭',
    motifs: ['paisley', 'leaf'],
    colors: ['turmeric', 'parrot', 'orange', 'crimson'],
    backgrounds: ['leaf', 'cream', 'maroon'],
    layouts: ['alpona', 'mandala', 'blossom', 'quilt'],
  },
  {
    words: 'spring summer autumn fall season वसंत बसंत ऋतु',
    motifs: ['leaf', 'jasmine', 'butterfly'],
    colors: ['marigold', 'coral', 'parrot', 'rose'],
    layouts: ['rosette', 'pookalam'],
  },
]
