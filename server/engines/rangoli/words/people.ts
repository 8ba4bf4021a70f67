import type { Entry } from './entry.ts'

/** Where people live, what they make, play and feel. */
export const people: readonly Entry[] = [
  {
    words: 'temple gopuram shrine pagoda cathedral church mandir मंदिर கோயில் கோவில் মন্দির 🛕',
    motifs: ['temple', 'bell', 'lotus'],
    colours: ['saffron', 'crimson', 'gold', 'ivory', 'teal'],
    grounds: ['terracotta', 'stone', 'indigo'],
    structures: ['horizon', 'mandala'],
  },
  {
    words: 'mosque masjid taj mahal mughal palace dome minaret castle fort महल ताज किला मस्जिद 🕌 🏰',
    motifs: ['dome', 'moon', 'lotus'],
    colours: ['ivory', 'turquoise', 'gold', 'rose', 'emerald'],
    grounds: ['teal', 'indigo', 'blush'],
    structures: ['jaali', 'horizon'],
  },
  {
    words:
      'city town skyline street metropolis urban skyscraper building mumbai delhi kolkata bengaluru bangalore chennai शहर नगर मुंबई दिल्ली நகரம் শহর 🏙 🌃',
    motifs: ['tower', 'lantern', 'cloud'],
    colours: ['gold', 'coral', 'turquoise', 'violet', 'ivory'],
    grounds: ['indigo', 'night', 'slate'],
    structures: ['horizon'],
  },
  {
    words: 'house home hut village cottage cabin farmhouse गाँव गांव घर झोपड़ी வீடு கிராமம் গ্রাম 🏠 🏡',
    motifs: ['house', 'tree', 'cow'],
    colours: ['vermilion', 'turmeric', 'green', 'ivory', 'teal'],
    grounds: ['leaf', 'sky', 'earth'],
    structures: ['horizon', 'quilt'],
  },
  {
    words: 'market bazaar bazar spice stall carnival fair circus बाज़ार मेला மசாலா',
    motifs: ['umbrella', 'pot', 'lantern'],
    colours: ['turmeric', 'vermilion', 'olive', 'crimson', 'copper'],
    structures: ['quilt', 'pookalam', 'splash'],
  },
  {
    words: 'boat ship houseboat sail sailor shikara canoe नाव नौका जहाज़ படகு নৌকা ⛵ 🚣',
    motifs: ['boat', 'fish', 'wave'],
    colours: ['vermilion', 'turquoise', 'gold', 'ivory', 'cobalt'],
    grounds: ['sea', 'teal', 'sky'],
    structures: ['waves'],
  },
  {
    words:
      'dance dancer dancing dervish people crowd festival party celebration bharatanatyam kathak odissi नृत्य नाच नर्तकी उत्सव त्योहार நடனம் নাচ 💃 🕺',
    motifs: ['dancer', 'drum'],
    colours: ['crimson', 'turmeric', 'magenta', 'turquoise'],
    structures: ['mandala', 'blossom', 'starburst', 'horizon'],
  },
  {
    words:
      'girl boy man woman child king queen princess prince portrait warrior monk grandmother mother राजा रानी राजकुमारी लड़की लड़का औरत माँ 👑',
    motifs: ['crown', 'dancer', 'paisley'],
    colours: ['crimson', 'gold', 'emerald', 'ivory'],
    structures: ['mandala', 'jaali', 'rosette'],
  },
  {
    words:
      'music musical song melody guitar sitar veena violin piano jazz orchestra raga संगीत वीणा सितार गीत இசை গান 🎵 🎶 🎸',
    motifs: ['sitar', 'drum', 'bird'],
    colours: ['copper', 'gold', 'crimson', 'teal', 'ivory'],
    structures: ['mandala', 'blossom', 'alpona', 'starburst'],
  },
  {
    words: 'drum dhol tabla mridangam ढोल तबला மிருதங்கம் ঢাক 🥁',
    motifs: ['drum', 'dancer'],
    colours: ['crimson', 'gold', 'ivory', 'cobalt'],
    structures: ['starburst', 'mandala'],
  },
  {
    words: 'abstract pattern cubist math mathematics cube pyramid',
    motifs: ['gem', 'star', 'circuit'],
    structures: ['jaali', 'quilt', 'kolam'],
  },
  {
    words: 'textile embroidery saree sari weaving woven weaver loom silk cotton साड़ी कढ़ाई कपड़ा சேலை শাড়ি',
    motifs: ['paisley', 'elephant', 'peacock'],
    colours: ['crimson', 'turmeric', 'teal', 'rose', 'ivory'],
    structures: ['quilt', 'jaali'],
  },
  {
    words: 'heart love romantic romance valentine kiss pyaar प्यार प्रेम इश्क़ दिल காதல் ভালোবাসা ❤ 💖 💕 💙',
    motifs: ['heart', 'jasmine', 'bird'],
    colours: ['crimson', 'pink', 'rose', 'ivory', 'gold'],
    grounds: ['blush', 'maroon', 'plum'],
    structures: ['rosette', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: 'eye vision mirror gaze portal illusion hypnotic आँख नज़र आईना கண் চোখ 👁 🧿',
    motifs: ['eye', 'star'],
    colours: ['cobalt', 'turquoise', 'white', 'gold'],
    structures: ['fan', 'starburst', 'mandala'],
  },
  {
    words: 'hand hands henna हाथ கை হাত ✋ 🤲',
    motifs: ['hand', 'paisley'],
    colours: ['terracotta', 'crimson', 'gold', 'ivory'],
    structures: ['mandala', 'blossom', 'alpona'],
  },
  {
    words: 'mask theatre puppet opera clown मुखौटा कठपुतली முகமூடி মুখোশ 🎭',
    motifs: ['mask', 'firework'],
    colours: ['vermilion', 'gold', 'emerald', 'cobalt'],
    structures: ['mandala', 'fan', 'quilt'],
  },
  {
    words: 'meditation yoga zen om spiritual prayer peace ध्यान योग ॐ शांति தியானம் ধ্যান 🧘 🕉',
    motifs: ['lotus', 'flame', 'leaf'],
    colours: ['violet', 'saffron', 'turquoise', 'ivory'],
    structures: ['rosette', 'kolam', 'mandala', 'blossom'],
    mood: { chroma: 0.85 },
  },
]
