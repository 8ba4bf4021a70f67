import type { VocabularyEntry } from '../design.ts'

/** Buildings, professions, arts and feelings. */
export const people: readonly VocabularyEntry[] = [
  {
    words: 'temple gopuram shrine pagoda cathedral church mandir मंदिर கோயில் கோவில் মন্দির 🛕',
    motifs: ['temple', 'bell', 'lotus'],
    colors: ['saffron', 'crimson', 'gold', 'ivory', 'teal'],
    backgrounds: ['terracotta', 'stone', 'indigo'],
    layouts: ['horizon', 'mandala'],
  },
  {
    words: 'mosque masjid taj mahal mughal palace dome minaret castle fort महल ताज किला मस्जिद 🕌 🏰',
    motifs: ['dome', 'moon', 'lotus'],
    colors: ['ivory', 'turquoise', 'gold', 'rose', 'emerald'],
    backgrounds: ['teal', 'indigo', 'blush'],
    layouts: ['jaali', 'horizon'],
  },
  {
    words:
      'city town skyline street metropolis urban skyscraper building mumbai delhi kolkata bengaluru bangalore chennai शहर नगर मुंबई दिल्ली நகரம் শহর 🏙 🌃',
    motifs: ['tower', 'lantern', 'cloud'],
    colors: ['gold', 'coral', 'turquoise', 'violet', 'ivory'],
    backgrounds: ['indigo', 'night', 'slate'],
    layouts: ['horizon'],
  },
  {
    words: 'house home hut village cottage cabin farmhouse गाँव गांव घर झोपड़ी வீடு கிராமம் গ্রাম 🏠 🏡',
    motifs: ['house', 'tree', 'cow'],
    colors: ['vermilion', 'turmeric', 'green', 'ivory', 'teal'],
    backgrounds: ['leaf', 'sky', 'earth'],
    layouts: ['horizon', 'quilt'],
  },
  {
    words: 'market bazaar bazar spice stall carnival fair circus बाज़ार मेला மசாலா',
    motifs: ['umbrella', 'pot', 'lantern'],
    colors: ['turmeric', 'vermilion', 'olive', 'crimson', 'copper'],
    layouts: ['quilt', 'pookalam', 'splash'],
  },
  {
    words: 'boat ship houseboat sail sailor shikara canoe नाव नौका जहाज़ படகு নৌকা ⛵ 🚣',
    motifs: ['boat', 'fish', 'wave'],
    colors: ['vermilion', 'turquoise', 'gold', 'ivory', 'cobalt'],
    backgrounds: ['sea', 'teal', 'sky'],
    layouts: ['waves'],
  },
  {
    words:
      'dance dancer dancing dervish people crowd festival party celebration bharatanatyam kathak odissi नृत्य नाच नर्तकी उत्सव त्योहार நடனம் নাচ 💃 🕺',
    motifs: ['dancer', 'drum'],
    colors: ['crimson', 'turmeric', 'magenta', 'turquoise'],
    layouts: ['mandala', 'blossom', 'starburst', 'horizon'],
  },
  {
    words:
      'girl boy man woman child king queen princess prince portrait warrior monk grandmother mother राजा रानी राजकुमारी लड़की लड़का औरत माँ 👑',
    motifs: ['crown', 'dancer', 'paisley'],
    colors: ['crimson', 'gold', 'emerald', 'ivory'],
    layouts: ['mandala', 'jaali', 'rosette'],
  },
  {
    words:
      'music musical song melody guitar sitar veena violin piano jazz orchestra raga संगीत वीणा सितार गीत இசை গান 🎵 🎶 🎸',
    motifs: ['sitar', 'drum', 'bird'],
    colors: ['copper', 'gold', 'crimson', 'teal', 'ivory'],
    layouts: ['mandala', 'blossom', 'alpona', 'starburst'],
  },
  {
    words: 'drum dhol tabla mridangam ढोल तबला மிருதங்கம் ঢাক 🥁',
    motifs: ['drum', 'dancer'],
    colors: ['crimson', 'gold', 'ivory', 'cobalt'],
    layouts: ['starburst', 'mandala'],
  },
  {
    words: 'abstract pattern cubist math mathematics cube pyramid',
    motifs: ['gem', 'star', 'circuit'],
    layouts: ['jaali', 'quilt', 'kolam'],
  },
  {
    words: 'textile embroidery saree sari weaving woven weaver loom silk cotton साड़ी कढ़ाई कपड़ा சேலை শাড়ি',
    motifs: ['paisley', 'elephant', 'peacock'],
    colors: ['crimson', 'turmeric', 'teal', 'rose', 'ivory'],
    layouts: ['quilt', 'jaali'],
  },
  {
    words: 'heart love romantic romance valentine kiss pyaar प्यार प्रेम इश्क़ दिल காதல் ভালোবাসা ❤ 💖 💕 💙',
    motifs: ['heart', 'jasmine', 'bird'],
    colors: ['crimson', 'pink', 'rose', 'ivory', 'gold'],
    backgrounds: ['blush', 'maroon', 'plum'],
    layouts: ['rosette', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: 'eye vision mirror gaze portal illusion hypnotic आँख नज़र आईना கண் চোখ 👁 🧿',
    motifs: ['eye', 'star'],
    colors: ['cobalt', 'turquoise', 'white', 'gold'],
    layouts: ['fan', 'starburst', 'mandala'],
  },
  {
    words: 'hand hands henna हाथ கை হাত ✋ 🤲',
    motifs: ['hand', 'paisley'],
    colors: ['terracotta', 'crimson', 'gold', 'ivory'],
    layouts: ['mandala', 'blossom', 'alpona'],
  },
  {
    words: 'mask theatre puppet opera clown मुखौटा कठपुतली முகமூடி মুখোশ 🎭',
    motifs: ['mask', 'firework'],
    colors: ['vermilion', 'gold', 'emerald', 'cobalt'],
    layouts: ['mandala', 'fan', 'quilt'],
  },
  {
    words: 'meditation yoga zen om spiritual prayer peace ध्यान योग ॐ शांति தியானம் ধ্যান 🧘 🕉',
    motifs: ['lotus', 'flame', 'leaf'],
    colors: ['violet', 'saffron', 'turquoise', 'ivory'],
    layouts: ['rosette', 'kolam', 'mandala', 'blossom'],
    mood: { chroma: 0.85 },
  },
]
