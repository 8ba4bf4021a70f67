import type { Entry } from './entry.ts'

/** Words for a kind of drawing: they settle the composition and leave the subject to the rest. */
export const forms: readonly Entry[] = [
  {
    words: 'kolam muggu pulli sikku கோலம் ముగ్గు कोलम',
    motifs: ['lotus', 'jasmine'],
    colours: ['ivory', 'turmeric', 'crimson', 'turquoise', 'green'],
    grounds: ['oxide', 'terracotta', 'maroon', 'indigo'],
    structures: ['kolam'],
  },
  {
    words: 'alpona alpana aripan mandana आल्पना अल्पना मांडणा আলপনা',
    motifs: ['lotus', 'paisley', 'fish'],
    colours: ['ivory', 'crimson', 'gold', 'pink', 'vermilion'],
    grounds: ['oxide', 'terracotta', 'earth'],
    structures: ['alpona'],
  },
  {
    words: 'rangoli mandala रंगोली मंडल மண்டலம் রঙ্গোলি',
    structures: ['mandala', 'blossom', 'rosette', 'starburst'],
  },
  {
    words: 'quilt patchwork kantha tile tapestry carpet rug ikat batik कांथा কাঁথা',
    motifs: ['paisley', 'elephant', 'bird'],
    colours: ['crimson', 'turmeric', 'teal', 'rose', 'ivory'],
    structures: ['quilt'],
  },
  {
    words:
      'geometry geometric symmetry fractal mosaic lattice jaali jali tessellation kaleidoscope ज्यामिति जाली வடிவம் জ্যামিতি 🔷 🔶',
    motifs: ['gem', 'star'],
    structures: ['jaali'],
  },
]
