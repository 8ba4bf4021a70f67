import type { VocabularyEntry } from '../design.ts'

export const animals: readonly VocabularyEntry[] = [
  {
    words: `
      peacock peahen peafowl mor mayur मोर मयूर மயில் ময়ূর 🦚
      मोरनी
      నెమలి నెమళ్లు మయూరం
      pavorreal pavorreales
      طاووس طواويس
    `,
    phrases: 'pavo real, pavos reales',
    motifs: ['feather', 'peacock'],
    colors: ['peacock', 'emerald', 'turquoise', 'gold', 'violet'],
    backgrounds: ['indigo', 'teal', 'cream'],
    layouts: ['fan'],
  },
  {
    words: `
      feather plume wing winged पंख 🪶
      मोरपंख
      পালক
      இறகு சிறகு
      ఈక ఈకలు రెక్క రెక్కలు
      pluma
      ريشة ريش جناح أجنحة
    `,
    motifs: ['feather'],
    layouts: ['fan', 'mandala', 'blossom'],
  },
  {
    words: `
      bird parrot sparrow crane swan flamingo dove pigeon crow eagle hen rooster chidiya चिड़िया पक्षी
      तोता हंस पंछी பறவை কবুতর পাখি 🐦 🦜 🕊 🦢
      चिड़ियाँ चिड़ियों कबूतर गौरैया सारस
      টিয়া চড়ুই পায়রা হাঁস
      கிளி புறா குருவி
      పక్షి పక్షులు పిట్ట చిలుక పావురం హంస
      pájaro pajarito aves loro paloma cisne gorrión colibrí
      طائر طيور عصفور عصافير حمامة ببغاء بجعة
    `,
    motifs: ['bird', 'leaf'],
    colors: ['parrot', 'vermilion', 'turquoise', 'gold'],
    layouts: ['mandala', 'quilt', 'alpona'],
  },
  {
    words: `
      owl ullu उल्लू 🦉
      পেঁচা প্যাঁচা
      ஆந்தை
      గుడ్లగూబ
      búho lechuza
      بومة بوم
    `,
    motifs: ['owl'],
    colors: ['copper', 'gold', 'teal', 'ivory'],
    backgrounds: ['night', 'forest'],
    layouts: ['mandala', 'blossom', 'quilt'],
  },
  {
    words: `
      butterfly moth titli तितली প্রজাপতি 🦋
      பட்டாம்பூச்சி வண்ணத்துப்பூச்சி
      సీతాకోకచిలుక
      mariposa
      فراشة فراشات
    `,
    motifs: ['butterfly', 'jasmine'],
    colors: ['violet', 'orange', 'turquoise', 'rose'],
    layouts: ['mandala', 'quilt', 'rosette'],
  },
  {
    words: `
      fish koi carp shark goldfish machhli मछली मछलियाँ மீன் মাছ 🐟 🐠
      చేప చేపలు
      pez pescado
      سمكة سمك أسماك
    `,
    motifs: ['fish', 'wave'],
    colors: ['vermilion', 'turquoise', 'gold', 'cobalt', 'ivory'],
    backgrounds: ['sea', 'teal', 'sky'],
    layouts: ['waves', 'alpona', 'mandala', 'blossom'],
  },
  {
    words: `
      turtle tortoise कछुआ 🐢
      कछुए
      কচ্ছপ কাছিম
      ஆமை
      తాబేలు
      tortuga
      سلحفاة سلاحف
    `,
    motifs: ['turtle', 'wave'],
    colors: ['emerald', 'olive', 'gold', 'turquoise'],
    backgrounds: ['sea', 'teal'],
    layouts: ['mandala', 'waves'],
  },
  {
    words: `
      jellyfish
      जेलीफ़िश
      জেলিফিশ
      ஜெல்லிமீன்
      జెల్లీఫిష్
      medusa
    `,
    phrases: 'قنديل البحر',
    motifs: ['jellyfish', 'wave'],
    colors: ['violet', 'pink', 'turquoise', 'lavender'],
    backgrounds: ['ink', 'sea'],
    layouts: ['mandala', 'blossom', 'waves'],
  },
  {
    words: `
      elephant tusker haathi हाथी யானை হাতি 🐘
      ఏనుగు
      elefante elefanta
      فيل أفيال فيلة
    `,
    motifs: ['elephant', 'paisley', 'leaf'],
    colors: ['peacock', 'crimson', 'gold', 'rose', 'ivory'],
    layouts: ['mandala', 'quilt', 'horizon'],
  },
  {
    words: `
      tiger bagh sher बाघ शेर புலி বাঘ 🐯 🐅
      tigress बाघिन
      పులి పులులు
      tigre tigresa
      نمر نمور
    `,
    motifs: ['tiger', 'leaf'],
    colors: ['orange', 'gold', 'brown', 'forest', 'ivory'],
    layouts: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
  {
    words: `
      cow bull ox buffalo calf gaay गाय बैल भैंस பசு গরু 🐄 🐮 🐂
      बछड़ा
      গাভী
      மாடு எருது
      ఆవు ఎద్దు గేదె
      vaca toro ternero
      بقرة بقر أبقار ثور
    `,
    motifs: ['cow', 'marigold'],
    colors: ['ivory', 'vermilion', 'gold', 'copper'],
    layouts: ['mandala', 'quilt', 'horizon'],
  },
  {
    words: `
      cat kitten kitty billi
      बिल्ली बिल्ला बिल्लियाँ
      বিড়াল বেড়াল
      பூனை பூனைக்குட்டி
      పిల్లి పిల్లులు
      gato gata gatito gatita
      قطة قط قطط هرة
      🐱 🐈
    `,
    motifs: ['cat', 'jasmine'],
    colors: ['orange', 'copper', 'ivory', 'teal', 'rose'],
    layouts: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
  {
    words: `
      dog doggy puppy hound kutta
      कुत्ता कुतिया पिल्ला
      কুকুর
      நாய் நாய்க்குட்டி
      కుక్క కుక్కలు కుక్కపిల్ల
      perro perra perrito cachorro
      كلب كلاب جرو
      🐶 🐕
    `,
    motifs: ['dog', 'leaf'],
    colors: ['copper', 'turmeric', 'ivory', 'teal', 'brown'],
    layouts: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
  {
    words: `
      fox vixen
      लोमड़ी
      খেঁকশিয়াল
      நரி
      నక్క నక్కలు
      zorro zorrito
      ثعلب ثعالب
      🦊
    `,
    motifs: ['fox', 'leaf'],
    colors: ['orange', 'copper', 'ivory', 'forest', 'gold'],
    backgrounds: ['forest', 'earth', 'cream'],
    layouts: ['mandala', 'blossom', 'quilt', 'horizon'],
  },
  {
    words: `
      horse stallion mare pony ghoda
      घोड़ा घोड़ी अश्व
      ঘোড়া
      குதிரை
      గుర్రం గుర్రాలు
      caballo yegua potro
      حصان أحصنة خيل خيول فرس
      🐴 🐎
    `,
    motifs: ['horse', 'marigold'],
    colors: ['copper', 'crimson', 'ivory', 'gold', 'peacock'],
    layouts: ['mandala', 'blossom', 'quilt', 'starburst'],
  },
]
