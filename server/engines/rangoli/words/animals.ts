import type { VocabularyEntry } from '../design.ts'

export const animals: readonly VocabularyEntry[] = [
  {
    words: 'peacock peahen peafowl mor mayur मोर मयूर மயில் ময়ূর 🦚',
    motifs: ['feather', 'peacock'],
    colors: ['peacock', 'emerald', 'turquoise', 'gold', 'violet'],
    backgrounds: ['indigo', 'teal', 'cream'],
    layouts: ['fan'],
  },
  {
    words: 'feather plume wing winged पंख 🪶',
    motifs: ['feather', 'bird'],
    layouts: ['fan', 'mandala', 'blossom'],
  },
  {
    words:
      'bird parrot sparrow crane swan flamingo dove pigeon crow eagle hen rooster chidiya चिड़िया पक्षी तोता हंस पंछी பறவை কবুতর পাখি 🐦 🦜 🕊 🦢',
    motifs: ['bird', 'leaf'],
    colors: ['parrot', 'vermilion', 'turquoise', 'gold'],
    layouts: ['mandala', 'quilt', 'alpona'],
  },
  {
    words: 'owl ullu उल्लू 🦉',
    motifs: ['owl', 'moon', 'tree'],
    colors: ['copper', 'gold', 'teal', 'ivory'],
    backgrounds: ['night', 'forest'],
    layouts: ['mandala', 'blossom', 'quilt'],
  },
  {
    words: 'butterfly moth dragonfly bee insect titli तितली தும்பி প্রজাপতি 🦋 🐝',
    motifs: ['butterfly', 'jasmine'],
    colors: ['violet', 'orange', 'turquoise', 'rose'],
    layouts: ['mandala', 'quilt', 'rosette'],
  },
  {
    words: 'fish koi carp whale dolphin shark goldfish machhli मछली मछलियाँ மீன் মাছ 🐟 🐠 🐳 🐋 🐬',
    motifs: ['fish', 'wave'],
    colors: ['vermilion', 'turquoise', 'gold', 'cobalt', 'ivory'],
    backgrounds: ['sea', 'teal', 'sky'],
    layouts: ['waves', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: 'turtle tortoise कछुआ 🐢',
    motifs: ['turtle', 'wave'],
    colors: ['emerald', 'olive', 'gold', 'turquoise'],
    backgrounds: ['sea', 'teal'],
    layouts: ['mandala', 'waves'],
  },
  {
    words: 'jellyfish octopus squid reef abyss 🐙',
    motifs: ['jellyfish', 'fish', 'wave'],
    colors: ['violet', 'pink', 'turquoise', 'lavender'],
    backgrounds: ['ink', 'sea'],
    layouts: ['mandala', 'blossom', 'waves'],
  },
  {
    words: 'elephant tusker mammoth haathi हाथी யானை হাতি 🐘',
    motifs: ['elephant', 'paisley', 'leaf'],
    colors: ['peacock', 'crimson', 'gold', 'rose', 'ivory'],
    layouts: ['mandala', 'quilt', 'horizon'],
  },
  {
    words:
      'tiger lion cat kitten leopard panther fox wolf bear panda dog puppy rabbit monkey bagh sher बाघ शेर बिल्ली कुत्ता புலி বাঘ বিড়াল 🐯 🦁 🐱 🐈 🐅 🦊 🐶',
    motifs: ['cat', 'leaf', 'palm'],
    colors: ['orange', 'gold', 'brown', 'forest', 'ivory'],
    layouts: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
  {
    words: 'cow bull ox buffalo calf goat deer horse camel gaay गाय बैल भैंस घोड़ा ऊँट பசு গরু 🐄 🐮 🐂',
    motifs: ['cow', 'wheat', 'marigold'],
    colors: ['ivory', 'vermilion', 'gold', 'copper'],
    layouts: ['mandala', 'quilt', 'horizon'],
  },
]
