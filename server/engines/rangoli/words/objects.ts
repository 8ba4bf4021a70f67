import type { VocabularyEntry } from '../design.ts'

/** Lights, machines, vessels and toys. */
export const objects: readonly VocabularyEntry[] = [
  {
    words:
      'diya diyas lamp lamplight candle candlelight deepam deepak दीया दीये दीप दीपक दिया दिये விளக்கு প্রদীপ 🕯',
    motifs: ['diya', 'flame'],
    colors: ['marigold', 'vermilion', 'gold', 'magenta'],
    backgrounds: ['night', 'plum', 'maroon'],
    layouts: ['mandala', 'blossom', 'horizon'],
  },
  {
    words: 'lantern lanterns glow glowing firefly fireflies light lights luminous लालटेन कंदील रोशनी प्रकाश 🏮',
    motifs: ['lantern', 'star'],
    colors: ['gold', 'vermilion', 'coral', 'ivory'],
    backgrounds: ['night', 'ink', 'plum'],
    layouts: ['mandala', 'horizon'],
  },
  {
    words: 'firework fireworks cracker sparkle sparkler explosion आतिशबाज़ी पटाखे 🎆 🎇',
    motifs: ['firework', 'star'],
    colors: ['gold', 'magenta', 'turquoise', 'violet', 'parrot'],
    backgrounds: ['ink', 'night'],
    layouts: ['splash', 'starburst'],
  },
  {
    words: 'kite patang पतंग பட்டம் ঘুড়ি',
    motifs: ['kite', 'cloud'],
    colors: ['vermilion', 'turmeric', 'cobalt', 'parrot', 'magenta'],
    backgrounds: ['sky', 'sea'],
    layouts: ['quilt', 'starburst', 'mandala', 'blossom'],
  },
  {
    words: 'bell ghanta घंटी घंटा மணி 🔔',
    motifs: ['bell', 'lotus'],
    colors: ['gold', 'copper', 'crimson', 'ivory'],
    layouts: ['mandala', 'blossom'],
  },
  {
    words: 'pot kalash matka pottery vase jar कलश मटका घड़ा பானை 🏺',
    motifs: ['pot', 'leaf'],
    colors: ['terracotta', 'turmeric', 'teal', 'ivory'],
    layouts: ['mandala', 'quilt'],
  },
  {
    words: 'tea chai coffee cup breakfast soup चाय कॉफ़ी தேநீர் চা ☕ 🍵',
    motifs: ['cup', 'leaf'],
    colors: ['copper', 'green', 'terracotta', 'gold', 'ivory'],
    backgrounds: ['cream', 'earth', 'leaf'],
    layouts: ['quilt', 'mandala', 'blossom'],
  },
  {
    words: 'book library poem poetry story letter alphabet knowledge किताब पुस्तक कविता कहानी புத்தகம் বই 📚 📖',
    motifs: ['book', 'owl', 'star'],
    colors: ['copper', 'teal', 'crimson', 'gold', 'ivory'],
    layouts: ['quilt', 'mandala', 'jaali'],
  },
  {
    words: 'clock time watch hourglass eternity memory समय घड़ी काल ⏰ 🕰',
    motifs: ['clock', 'gear', 'moon'],
    colors: ['gold', 'copper', 'teal', 'ivory', 'plum'],
    layouts: ['mandala', 'blossom', 'starburst'],
    order: 12,
  },
  {
    words: 'wheel chakra chariot cart bicycle cycle rickshaw train car चक्र पहिया रथगाड़ी சக்கரம் চাকা 🎡 🚲 🚂',
    motifs: ['wheel', 'elephant'],
    colors: ['vermilion', 'gold', 'cobalt', 'ivory'],
    layouts: ['mandala', 'starburst'],
    order: 16,
  },
  {
    words: 'robot android cyborg machine mechanical रोबोट 🤖',
    motifs: ['robot', 'gear', 'circuit'],
    colors: ['turquoise', 'orange', 'magenta', 'silver'],
    backgrounds: ['slate', 'ink'],
    layouts: ['jaali', 'quilt', 'mandala', 'blossom'],
    order: 8,
  },
  {
    words:
      'cyber cyberpunk digital computer hologram holographic futuristic future synthwave vaporwave pixel code algorithm neural vr 💻',
    motifs: ['circuit', 'tower', 'robot'],
    colors: ['magenta', 'turquoise', 'violet', 'lime', 'sky'],
    backgrounds: ['ink', 'night'],
    layouts: ['jaali', 'starburst'],
    order: 8,
    mood: { chroma: 1.25, tone: 'dark' },
  },
  {
    words: 'steampunk gear clockwork engine factory industrial brass ⚙',
    motifs: ['gear', 'clock', 'balloon'],
    colors: ['copper', 'gold', 'teal', 'ivory', 'brown'],
    backgrounds: ['earth', 'slate'],
    layouts: ['mandala', 'jaali'],
  },
  {
    words: 'crystal gem gemstone diamond jewel jewellery jewelry glass stained रत्न हीरा गहना காந்தம் রত্ন 💎',
    motifs: ['gem', 'crown', 'star'],
    colors: ['turquoise', 'violet', 'rose', 'emerald', 'gold'],
    layouts: ['jaali', 'starburst', 'rosette'],
  },
  {
    words: 'rocket spaceship shuttle ufo alien mars रॉकेट 🛸 👽',
    motifs: ['rocket', 'planet', 'star'],
    colors: ['vermilion', 'turquoise', 'gold', 'silver'],
    backgrounds: ['ink', 'night'],
    layouts: ['starburst', 'horizon'],
  },
  {
    words: 'balloon airship zeppelin flying floating float गुब्बारा उड़ता 🎈',
    motifs: ['balloon', 'cloud', 'bird'],
    colors: ['coral', 'sky', 'turmeric', 'mint', 'rose'],
    backgrounds: ['sky', 'lilac', 'blush'],
    layouts: ['horizon', 'quilt', 'mandala', 'blossom'],
  },
  {
    words: 'umbrella parasol छाता छतरी குடை ছাতা ☂ ☔',
    motifs: ['umbrella', 'cloud'],
    colors: ['vermilion', 'turmeric', 'sky', 'teal'],
    layouts: ['mandala', 'quilt'],
  },
]
