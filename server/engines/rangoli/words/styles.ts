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

/** Styles, feelings and numbers, which adjust the palette and the order of symmetry. */
export const moods: readonly VocabularyEntry[] = [
  {
    words: 'pastel soft gentle delicate watercolor watercolour कोमल हल्का',
    mood: { chroma: 0.62, lightness: 0.08, tone: 'light' },
  },
  {
    words: 'neon vivid electric fluorescent psychedelic acid',
    mood: { chroma: 1.45, lightness: 0.04, tone: 'dark' },
  },
  {
    words: 'dark gothic shadow shadowy noir mysterious eerie haunted gloomy अँधेरा',
    mood: { chroma: 0.92, lightness: -0.02, tone: 'dark' },
  },
  {
    words: 'bright cheerful joyful happy festive vibrant खुश उज्ज्वल चमकीला',
    mood: { chroma: 1.15, lightness: 0.03 },
  },
  {
    words: 'monochrome monochromatic ink sketch lineart minimal minimalist woodcut linocut',
    mood: { chroma: 0.7, isMonochrome: true },
  },
  {
    words: 'vintage retro antique ancient old faded rustic पुराना प्राचीन',
    mood: { chroma: 0.72, lightness: -0.03 },
  },
  {
    words: 'calm quiet serene tranquil silent peaceful misty mist fog foggy शांत कोहरा',
    mood: { chroma: 0.66, lightness: 0.05 },
  },
  {
    words: 'wild chaos dramatic epic fierce तूफ़ान',
    mood: { chroma: 1.15, lightness: -0.03, tone: 'dark' },
  },
  {
    words: `
      dream dreamy dreaming dreamlike surreal surrealist magical magic fantasy enchanted ethereal सपना
      सपने जादुई जादू கனவு স্বপ্ন
      sueño
    `,
    colors: ['lavender', 'turquoise', 'pink', 'violet', 'ivory'],
    backgrounds: ['indigo', 'lilac', 'plum'],
    layouts: ['starburst', 'alpona', 'rosette'],
  },
  { words: 'square four चार', order: 4 },
  { words: 'pentagon five पाँच', order: 5 },
  { words: 'hexagon hexagonal six honeycomb छह', order: 6 },
  { words: 'octagon octagonal eight आठ', order: 8 },
  { words: 'ten दस', order: 10 },
  { words: 'dozen twelve बारह', order: 12 },
  { words: 'sixteen सोलह', order: 16 },
]
