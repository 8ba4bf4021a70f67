import type { VocabularyEntry } from '../design.ts'

/** Kinds of drawings. They determine the layout before all other words, which determine the subject. */
export const forms: readonly VocabularyEntry[] = [
  {
    words: `
      kolam muggu pulli sikku கோலம் ముగ్గు कोलम
      ముగ్గులు
    `,
    motifs: ['lotus', 'jasmine'],
    colors: ['ivory', 'turmeric', 'crimson', 'turquoise', 'green'],
    backgrounds: ['oxide', 'terracotta', 'maroon', 'indigo'],
    layouts: ['kolam'],
  },
  {
    words: 'alpona alpana aripan mandana आल्पना अल्पना मांडणा আলপনা',
    motifs: ['lotus', 'paisley', 'fish'],
    colors: ['ivory', 'crimson', 'gold', 'pink', 'vermilion'],
    backgrounds: ['oxide', 'terracotta', 'earth'],
    layouts: ['alpona'],
  },
  {
    words: `
      rangoli mandala रंगोली मंडल மண்டலம் রঙ্গোলি
      రంగవల్లి
      ماندالا
    `,
    layouts: ['mandala', 'blossom', 'rosette', 'starburst'],
  },
  {
    words: `
      quilt patchwork kantha tile tapestry carpet rug ikat batik कांथा কাঁথা
      alfombra
      سجادة سجاد
    `,
    motifs: ['paisley'],
    colors: ['crimson', 'turmeric', 'teal', 'rose', 'ivory'],
    layouts: ['quilt'],
  },
  {
    words: `
      geometry geometric symmetry fractal mosaic lattice jaali jali tessellation kaleidoscope ज्यामिति
      जाली வடிவம் জ্যামিতি 🔷 🔶
      geometría geométrico geométrica
      هندسي هندسية
    `,
    layouts: ['jaali', 'girih'],
  },
  {
    words: `
      girih zellij zellige arabesque
      arabesco
      زليج أرابيسك
    `,
    colors: ['cobalt', 'turquoise', 'gold', 'ivory', 'emerald'],
    backgrounds: ['teal', 'night', 'cream'],
    layouts: ['girih'],
  },
]
