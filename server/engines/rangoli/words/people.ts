import type { VocabularyEntry } from '../design.ts'

/** Buildings, professions, arts and feelings. */
export const people: readonly VocabularyEntry[] = [
  {
    words: `
      temple gopuram shrine pagoda mandir मंदिर கோயில் கோவில் মন্দির 🛕
      గుడి ఆలయం దేవాలయం
      templo
      معبد معابد
    `,
    motifs: ['temple', 'lotus'],
    colors: ['saffron', 'crimson', 'gold', 'ivory', 'teal'],
    backgrounds: ['terracotta', 'stone', 'indigo'],
    layouts: ['horizon', 'mandala'],
  },
  {
    words: `
      mosque masjid taj mahal mughal palace dome minaret महल ताज मस्जिद 🕌
      गुंबद
      মসজিদ প্রাসাদ গম্বুজ
      மசூதி அரண்மனை
      మసీదు
      mezquita palacio cúpula
      مسجد مساجد قبة قباب قصر قصور
    `,
    motifs: ['dome', 'moon', 'lotus'],
    colors: ['ivory', 'turquoise', 'gold', 'rose', 'emerald'],
    backgrounds: ['teal', 'indigo', 'blush'],
    layouts: ['jaali', 'girih', 'horizon'],
  },
  {
    words: `
      city town skyline street metropolis urban skyscraper building mumbai delhi kolkata bengaluru
      bangalore chennai शहर नगर मुंबई दिल्ली நகரம் শহর 🏙 🌃
      tower towers
      নগর
      నగరం పట్టణం
      ciudad torre rascacielos
      مدينة مدن برج أبراج
    `,
    motifs: ['tower'],
    colors: ['gold', 'coral', 'turquoise', 'violet', 'ivory'],
    backgrounds: ['indigo', 'night', 'slate'],
    layouts: ['horizon'],
  },
  {
    words: `
      house home hut village cottage cabin farmhouse गाँव घर झोपड़ी வீடு கிராமம் গ্রাম 🏠 🏡
      मकान
      বাড়ি ঘর
      ఇల్లు ఇళ్లు గ్రామం పల్లె
      casa aldea cabaña
      بيت بيوت منزل منازل قرية
    `,
    motifs: ['house', 'tree'],
    colors: ['vermilion', 'turmeric', 'green', 'ivory', 'teal'],
    backgrounds: ['leaf', 'sky', 'earth'],
    layouts: ['horizon', 'quilt'],
  },
  {
    words: `
      market bazaar bazar spice stall carnival circus बाज़ार मेला மசாலா
      বাজার
      சந்தை
      mercado
      سوق أسواق
      సంత బజారు
    `,
    motifs: ['umbrella', 'pot', 'lantern'],
    colors: ['turmeric', 'vermilion', 'olive', 'crimson', 'copper'],
    layouts: ['quilt', 'pookalam', 'splash'],
  },
  {
    words: `
      boat ship houseboat sail shikara canoe नाव नौका जहाज़ படகு নৌকা ⛵ 🚣
      sailboat कश्ती
      জাহাজ
      கப்பல்
      పడవ ఓడ నావ
      barco barca velero
      قارب قوارب سفينة سفن
    `,
    motifs: ['boat', 'wave'],
    colors: ['vermilion', 'turquoise', 'gold', 'ivory', 'cobalt'],
    backgrounds: ['sea', 'teal', 'sky'],
    layouts: ['waves'],
  },
  {
    words: `
      dance dancer dancing dervish bharatanatyam kathak odissi नृत्य नाच नर्तकी நடனம் নাচ 💃 🕺
      নৃত্য নর্তকী
      నృత్యం నాట్యం నర్తకి
      baile danza bailarina bailarín
      رقص راقصة راقص
    `,
    motifs: ['dancer', 'drum'],
    colors: ['crimson', 'turmeric', 'magenta', 'turquoise'],
    layouts: ['mandala', 'blossom', 'starburst', 'horizon'],
  },
  {
    words: `
      girl boy man woman child portrait monk grandmother mother लड़की लड़का औरत माँ
      person people crowd men women children baby lady father grandfather
      व्यक्ति लोग इंसान महिला पुरुष आदमी बच्चा दादी
      মানুষ ছেলে মেয়ে নারী পুরুষ শিশু মহিলা
      மனிதன் மனிதர் பெண் ஆண் சிறுவன் சிறுமி குழந்தை
      మనిషి మనుషులు వ్యక్తి స్త్రీ మహిళ పురుషుడు అబ్బాయి అమ్మాయి
      persona gente hombre mujer niño niña madre
      شخص أشخاص رجل رجال امرأة نساء ولد بنت فتاة طفل طفلة أطفال إنسان 🧍 👩 👨 👧 👦
    `,
    motifs: ['person'],
    colors: ['crimson', 'gold', 'emerald', 'ivory'],
    layouts: ['mandala', 'blossom', 'horizon', 'quilt'],
  },
  {
    words: `
      music musical song melody sitar veena jazz orchestra raga संगीत वीणा सितार गीत இசை গান 🎵 🎶
      সঙ্গীত সংগীত সেতার বীণা
      பாடல் வீணை
      సంగీతం పాట వీణ సితార్
      música canción
      موسيقى أغنية سيتار
    `,
    motifs: ['sitar', 'drum'],
    colors: ['copper', 'gold', 'crimson', 'teal', 'ivory'],
    layouts: ['mandala', 'blossom', 'alpona', 'starburst'],
  },
  {
    words: `
      drum dhol tabla mridangam ढोल तबला மிருதங்கம் ঢাক 🥁
      नगाड़ा
      ঢোল তবলা
      மத்தளம்
      డప్పు డోలు తబలా మృదంగం
      tambor
      طبل طبول
    `,
    motifs: ['drum'],
    colors: ['crimson', 'gold', 'ivory', 'cobalt'],
    layouts: ['starburst', 'mandala'],
  },
  {
    words: `
      abstract pattern cubist math mathematics cube pyramid
      abstracto abstracta
    `,
    layouts: ['jaali', 'girih', 'quilt', 'kolam'],
  },
  {
    words: `
      textile embroidery saree sari weaving woven weaver loom silk cotton साड़ी कढ़ाई कपड़ा சேலை শাড়ি
      புடவை
      చీర
      bordado seda
      تطريز حرير
    `,
    motifs: ['paisley'],
    colors: ['crimson', 'turmeric', 'teal', 'rose', 'ivory'],
    layouts: ['quilt', 'jaali'],
  },
  {
    words: `
      heart love romantic romance valentine kiss pyaar प्यार प्रेम इश्क़ दिल காதல் ভালোবাসা ❤ 💖 💕 💙
      হৃদয় প্রেম
      இதயம்
      హృదయం ప్రేమ
      corazón amor
      قلب قلوب حب
    `,
    motifs: ['heart', 'jasmine'],
    colors: ['crimson', 'pink', 'rose', 'ivory', 'gold'],
    backgrounds: ['blush', 'maroon', 'plum'],
    layouts: ['rosette', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: `
      eye gaze आँख கண் চোখ 👁 🧿
      नेत्र
      விழி
      కన్ను కళ్లు కళ్ళు
      ojo
      عين عيون
    `,
    motifs: ['eye'],
    colors: ['cobalt', 'turquoise', 'white', 'gold'],
    layouts: ['fan', 'starburst', 'mandala'],
  },
  {
    words: `
      hand hands henna हाथ கை হাত ✋ 🤲
      చేయి చెయ్యి చేతులు
      mano
      يد أيدي
    `,
    motifs: ['hand', 'paisley'],
    colors: ['terracotta', 'crimson', 'gold', 'ivory'],
    layouts: ['mandala', 'blossom', 'alpona'],
  },
  {
    words: `
      mask मुखौटा முகமூடி মুখোশ 🎭
      మాస్క్
      máscara
      قناع أقنعة
    `,
    motifs: ['mask'],
    colors: ['vermilion', 'gold', 'emerald', 'cobalt'],
    layouts: ['mandala', 'fan', 'quilt'],
  },
  {
    words: `
      meditation yoga zen om spiritual prayer ध्यान योग ॐ தியானம் ধ্যান 🧘 🕉
      ధ్యానం تأمل
    `,
    motifs: ['lotus'],
    colors: ['violet', 'saffron', 'turquoise', 'ivory'],
    layouts: ['rosette', 'kolam', 'mandala', 'blossom'],
    mood: { chroma: 0.85 },
  },
  {
    words: `
      crown king queen prince princess
      मुकुट राजा रानी राजकुमारी
      মুকুট রাজা রানি রাজকুমারী
      கிரீடம் ராஜா ராணி அரசன் அரசி
      కిరీటం రాజు రాణి
      corona rey reyes reina príncipe princesa
      تاج تيجان ملك ملكة أمير أميرة
      👑
    `,
    motifs: ['crown', 'person'],
    colors: ['crimson', 'gold', 'emerald', 'ivory'],
    layouts: ['mandala', 'jaali', 'rosette'],
  },
  {
    words: `
      trident trishul
      त्रिशूल
      ত্রিশূল
      திரிசூலம்
      త్రిశూలం
      tridente
      🔱
    `,
    motifs: ['trident', 'lotus'],
    colors: ['silver', 'sky', 'saffron', 'cobalt', 'white'],
    layouts: ['mandala', 'starburst'],
  },
]
