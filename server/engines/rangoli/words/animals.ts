import type { Entry } from './entry.ts'

/** Animals of land, water and air. */
export const animals: readonly Entry[] = [
  {
    words: 'peacock peahen peafowl mor mayur मोर मयूर மயில் ময়ূর 🦚',
    motifs: ['feather', 'peacock'],
    colours: ['peacock', 'emerald', 'turquoise', 'gold', 'violet'],
    grounds: ['indigo', 'teal', 'cream'],
    structures: ['fan'],
  },
  {
    words: 'feather plume wing winged पंख 🪶',
    motifs: ['feather', 'bird'],
    structures: ['fan', 'mandala', 'blossom'],
  },
  {
    words:
      'bird parrot sparrow crane swan flamingo dove pigeon crow eagle hen rooster chidiya चिड़िया पक्षी तोता हंस पंछी பறவை কবুতর পাখি 🐦 🦜 🕊 🦢',
    motifs: ['bird', 'leaf'],
    colours: ['parrot', 'vermilion', 'turquoise', 'gold'],
    structures: ['mandala', 'quilt', 'alpona'],
  },
  {
    words: 'owl ullu उल्लू 🦉',
    motifs: ['owl', 'moon', 'tree'],
    colours: ['copper', 'gold', 'teal', 'ivory'],
    grounds: ['night', 'forest'],
    structures: ['mandala', 'blossom', 'quilt'],
  },
  {
    words: 'butterfly moth dragonfly bee insect titli तितली தும்பி প্রজাপতি 🦋 🐝',
    motifs: ['butterfly', 'jasmine'],
    colours: ['violet', 'orange', 'turquoise', 'rose'],
    structures: ['mandala', 'quilt', 'rosette'],
  },
  {
    words: 'fish koi carp whale dolphin shark goldfish machhli मछली मछलियाँ மீன் মাছ 🐟 🐠 🐳 🐋 🐬',
    motifs: ['fish', 'wave'],
    colours: ['vermilion', 'turquoise', 'gold', 'cobalt', 'ivory'],
    grounds: ['sea', 'teal', 'sky'],
    structures: ['waves', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: 'turtle tortoise कछुआ 🐢',
    motifs: ['turtle', 'wave'],
    colours: ['emerald', 'olive', 'gold', 'turquoise'],
    grounds: ['sea', 'teal'],
    structures: ['mandala', 'waves'],
  },
  {
    words: 'jellyfish octopus squid reef abyss 🐙',
    motifs: ['jellyfish', 'fish', 'wave'],
    colours: ['violet', 'pink', 'turquoise', 'lavender'],
    grounds: ['ink', 'sea'],
    structures: ['mandala', 'blossom', 'waves'],
  },
  {
    words: 'elephant tusker mammoth haathi हाथी யானை হাতি 🐘',
    motifs: ['elephant', 'paisley', 'leaf'],
    colours: ['peacock', 'crimson', 'gold', 'rose', 'ivory'],
    structures: ['mandala', 'quilt', 'horizon'],
  },
  {
    words:
      'tiger lion cat kitten leopard panther fox wolf bear panda dog puppy rabbit monkey bagh sher बाघ शेर बिल्ली कुत्ता புலி বাঘ বিড়াল 🐯 🦁 🐱 🐈 🐅 🦊 🐶',
    motifs: ['cat', 'leaf', 'palm'],
    colours: ['orange', 'gold', 'brown', 'forest', 'ivory'],
    structures: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
  {
    words: 'cow bull ox buffalo calf goat deer horse camel gaay गाय बैल भैंस घोड़ा ऊँट பசு গরু 🐄 🐮 🐂',
    motifs: ['cow', 'wheat', 'marigold'],
    colours: ['ivory', 'vermilion', 'gold', 'copper'],
    structures: ['mandala', 'quilt', 'horizon'],
  },
]
