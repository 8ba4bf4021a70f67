import type { Entry } from './entry.ts'

/** Things: lights, machines, vessels and toys. */
export const objects: readonly Entry[] = [
  {
    words:
      'diya diyas lamp lamplight candle candlelight deepam deepak दीया दीये दीप दीपक दिया दिये விளக்கு প্রদীপ 🕯',
    motifs: ['diya', 'flame'],
    colours: ['marigold', 'vermilion', 'gold', 'magenta'],
    grounds: ['night', 'plum', 'maroon'],
    structures: ['mandala', 'blossom', 'horizon'],
  },
  {
    words: 'lantern lanterns glow glowing firefly fireflies light lights luminous लालटेन कंदील रोशनी प्रकाश 🏮',
    motifs: ['lantern', 'star'],
    colours: ['gold', 'vermilion', 'coral', 'ivory'],
    grounds: ['night', 'ink', 'plum'],
    structures: ['mandala', 'horizon'],
  },
  {
    words: 'firework fireworks cracker sparkle sparkler explosion आतिशबाज़ी पटाखे 🎆 🎇',
    motifs: ['firework', 'star'],
    colours: ['gold', 'magenta', 'turquoise', 'violet', 'parrot'],
    grounds: ['ink', 'night'],
    structures: ['splash', 'starburst'],
  },
  {
    words: 'kite patang पतंग பட்டம் ঘুড়ি',
    motifs: ['kite', 'cloud'],
    colours: ['vermilion', 'turmeric', 'cobalt', 'parrot', 'magenta'],
    grounds: ['sky', 'sea'],
    structures: ['quilt', 'starburst', 'mandala', 'blossom'],
  },
  {
    words: 'bell ghanta घंटी घंटा மணி 🔔',
    motifs: ['bell', 'lotus'],
    colours: ['gold', 'copper', 'crimson', 'ivory'],
    structures: ['mandala', 'blossom'],
  },
  {
    words: 'pot kalash matka pottery vase jar कलश मटका घड़ा பானை 🏺',
    motifs: ['pot', 'leaf'],
    colours: ['terracotta', 'turmeric', 'teal', 'ivory'],
    structures: ['mandala', 'quilt'],
  },
  {
    words: 'tea chai coffee cup breakfast soup चाय कॉफ़ी தேநீர் চা ☕ 🍵',
    motifs: ['cup', 'leaf'],
    colours: ['copper', 'green', 'terracotta', 'gold', 'ivory'],
    grounds: ['cream', 'earth', 'leaf'],
    structures: ['quilt', 'mandala', 'blossom'],
  },
  {
    words: 'book library poem poetry story letter alphabet knowledge किताब पुस्तक कविता कहानी புத்தகம் বই 📚 📖',
    motifs: ['book', 'owl', 'star'],
    colours: ['copper', 'teal', 'crimson', 'gold', 'ivory'],
    structures: ['quilt', 'mandala', 'jaali'],
  },
  {
    words: 'clock time watch hourglass eternity memory समय घड़ी काल ⏰ 🕰',
    motifs: ['clock', 'gear', 'moon'],
    colours: ['gold', 'copper', 'teal', 'ivory', 'plum'],
    structures: ['mandala', 'blossom', 'starburst'],
    order: 12,
  },
  {
    words: 'wheel chakra chariot cart bicycle cycle rickshaw train car चक्र पहिया रथगाड़ी சக்கரம் চাকা 🎡 🚲 🚂',
    motifs: ['wheel', 'elephant'],
    colours: ['vermilion', 'gold', 'cobalt', 'ivory'],
    structures: ['mandala', 'starburst'],
    order: 16,
  },
  {
    words: 'robot android cyborg machine mechanical रोबोट 🤖',
    motifs: ['robot', 'gear', 'circuit'],
    colours: ['turquoise', 'orange', 'magenta', 'silver'],
    grounds: ['slate', 'ink'],
    structures: ['jaali', 'quilt', 'mandala', 'blossom'],
    order: 8,
  },
  {
    words:
      'cyber cyberpunk digital computer hologram holographic futuristic future synthwave vaporwave pixel code algorithm neural vr 💻',
    motifs: ['circuit', 'tower', 'robot'],
    colours: ['magenta', 'turquoise', 'violet', 'lime', 'sky'],
    grounds: ['ink', 'night'],
    structures: ['jaali', 'starburst'],
    order: 8,
    mood: { chroma: 1.25, tone: 'dark' },
  },
  {
    words: 'steampunk gear clockwork engine factory industrial brass ⚙',
    motifs: ['gear', 'clock', 'balloon'],
    colours: ['copper', 'gold', 'teal', 'ivory', 'brown'],
    grounds: ['earth', 'slate'],
    structures: ['mandala', 'jaali'],
  },
  {
    words: 'crystal gem gemstone diamond jewel jewellery jewelry glass stained रत्न हीरा गहना காந்தம் রত্ন 💎',
    motifs: ['gem', 'crown', 'star'],
    colours: ['turquoise', 'violet', 'rose', 'emerald', 'gold'],
    structures: ['jaali', 'starburst', 'rosette'],
  },
  {
    words: 'rocket spaceship shuttle ufo alien mars रॉकेट 🛸 👽',
    motifs: ['rocket', 'planet', 'star'],
    colours: ['vermilion', 'turquoise', 'gold', 'silver'],
    grounds: ['ink', 'night'],
    structures: ['starburst', 'horizon'],
  },
  {
    words: 'balloon airship zeppelin flying floating float गुब्बारा उड़ता 🎈',
    motifs: ['balloon', 'cloud', 'bird'],
    colours: ['coral', 'sky', 'turmeric', 'mint', 'rose'],
    grounds: ['sky', 'lilac', 'blush'],
    structures: ['horizon', 'quilt', 'mandala', 'blossom'],
  },
  {
    words: 'umbrella parasol छाता छतरी குடை ছাতা ☂ ☔',
    motifs: ['umbrella', 'cloud'],
    colours: ['vermilion', 'turmeric', 'sky', 'teal'],
    structures: ['mandala', 'quilt'],
  },
]
