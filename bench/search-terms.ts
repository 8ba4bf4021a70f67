/** Terms of three characters and more: names, words, places, parts of them, sentences. */
export const longTerms = `
  lotus; Kolkata; kolk; दीवाली; बारिश; रवि; Meera Iyer; meer; tiger; watercolour; moon; ing; the; and;
  light; painted like a Mughal miniature; train near; chai; Reykjavík; иванова; Москва; αθήνα; İstanbul;
  சுதா; কলকাতা; elephant; A heart-shaped island with two volcanoes; snow; gold leaf; festival; sun; diya;
  ghat; no such thing; qzx; in the; lantern; butterfl; Åsa; さくら; onam; pongal; christmas; 中秋节;
  harpreet singh; wind; stars; umbrella; rainbow; fog
`
  .trim()
  .split(/;\s+/)

/** Terms of one and two characters: every letter, beginnings of words, and whole words. */
export const shortTerms = [
  ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789नरकमस月上京李雪%_"'),
  ...'an ba ch da el fo go ho in ja ka la ma na on pa qu ra sa ta un va wa ya zo th er he re st'.split(' '),
  ...'की नि रं दी हो மு கொ 上海 京都 小雨 田中 서울 ол ив мо αθ ελ ış İs å ø zz qx'.split(' '),
] as const
