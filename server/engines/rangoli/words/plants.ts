import type { Entry } from './entry.ts'

/** Flowers, trees, fruit and the seasons. */
export const plants: readonly Entry[] = [
  {
    words: 'lotus lotuses kamal padma lily waterlily कमल पद्म தாமரை পদ্ম 🪷',
    motifs: ['lotus'],
    colours: ['pink', 'rose', 'ivory', 'emerald', 'gold'],
    grounds: ['teal', 'sea', 'forest'],
    structures: ['rosette'],
  },
  {
    words: 'marigold genda गेंदा',
    motifs: ['marigold'],
    colours: ['marigold', 'orange', 'saffron', 'vermilion', 'green'],
    grounds: ['oxide', 'forest', 'maroon'],
    structures: ['pookalam', 'rosette'],
  },
  {
    words:
      'flower floral blossom bloom blooming garden petal bouquet orchid rose tulip phool फूल फूलों पुष्प गुलाब बाग பூ பூக்கள் ফুল 🌸 🌺 🌹 💐 🌷',
    motifs: ['hibiscus', 'jasmine', 'leaf'],
    colours: ['rose', 'pink', 'marigold', 'violet', 'green'],
    grounds: ['leaf', 'cream', 'forest'],
    structures: ['pookalam', 'rosette', 'quilt'],
  },
  {
    words: 'jasmine chameli mogra चमेली मोगरा மல்லிகை',
    motifs: ['jasmine'],
    colours: ['white', 'mint', 'green', 'turmeric'],
    grounds: ['forest', 'stone'],
    structures: ['kolam', 'rosette'],
  },
  {
    words: 'sunflower daisy सूरजमुखी 🌻 🌼',
    motifs: ['sunflower'],
    colours: ['yellow', 'gold', 'brown', 'green', 'orange'],
    structures: ['rosette', 'pookalam'],
  },
  {
    words: 'hibiscus गुड़हल',
    motifs: ['hibiscus'],
    colours: ['crimson', 'rose', 'green', 'gold'],
    structures: ['rosette', 'pookalam'],
  },
  {
    words: 'leaf leaves leafy foliage vine ivy fern patta पत्ता पत्ते पत्तियाँ இலை পাতা 🍃 🌿 🍂',
    motifs: ['leaf', 'tree'],
    colours: ['green', 'lime', 'forest', 'gold', 'ivory'],
    grounds: ['leaf', 'forest', 'cream'],
    structures: ['alpona', 'rosette'],
  },
  {
    words:
      'tree forest jungle wood woods banyan peepal grove rainforest bamboo ped पेड़ वृक्ष जंगल वन பாடல் மரம் காடு গাছ বন 🌳 🌲',
    motifs: ['tree', 'leaf', 'bird'],
    colours: ['green', 'emerald', 'olive', 'gold', 'ivory'],
    grounds: ['forest', 'leaf', 'earth'],
    structures: ['horizon', 'alpona'],
  },
  {
    words: 'palm coconut island tropical नारियल தென்னை 🌴 🏝',
    motifs: ['palm', 'wave', 'boat'],
    colours: ['green', 'turquoise', 'gold', 'coral'],
    structures: ['horizon', 'waves'],
  },
  {
    words: 'mushroom fungus fairy pixie gnome 🍄',
    motifs: ['mushroom', 'leaf', 'butterfly'],
    colours: ['vermilion', 'forest', 'lavender', 'ivory'],
    structures: ['horizon', 'quilt'],
  },
  {
    words: 'wheat rice paddy harvest field farm farmer grain straw crop फसल खेत गेहूँ धान किसान நெல் ধান 🌾',
    motifs: ['wheat', 'sun', 'cow'],
    colours: ['turmeric', 'gold', 'green', 'copper', 'ivory'],
    grounds: ['earth', 'leaf', 'sand'],
    structures: ['horizon', 'quilt', 'mandala'],
  },
  {
    words: 'mango paisley aam fruit आम மாம்பழம் আম 🥭',
    motifs: ['paisley', 'leaf'],
    colours: ['turmeric', 'parrot', 'orange', 'crimson'],
    grounds: ['leaf', 'cream', 'maroon'],
    structures: ['alpona', 'mandala', 'blossom', 'quilt'],
  },
  {
    words: 'spring summer autumn fall season वसंत बसंत ऋतु',
    motifs: ['leaf', 'jasmine', 'butterfly'],
    colours: ['marigold', 'coral', 'parrot', 'rose'],
    structures: ['rosette', 'pookalam'],
  },
]
