import type { ColorName } from '../named-colors.ts'

/** Words that name a color. They take precedence over the colors of the subjects in a prompt. */
export const colorWords: readonly (readonly [ColorName, string])[] = [
  ['red', 'red scarlet लाल सुर्ख़ சிவப்பு লাল 🔴 rojo roja ఎరుపు ఎర్ర ఎర్రని أحمر حمراء'],
  ['crimson', 'crimson blood kumkum sindoor cherry ruby किरमिज़ी सिंदूरी कुमकुम रक्त carmesí'],
  ['vermilion', 'vermilion vermillion cinnabar रक्तिम'],
  ['coral', 'coral salmon peach मूँगिया आड़ू'],
  [
    'orange',
    `
    orange tangerine amber नारंगी संतरी কমলা ஆரஞ்சு 🟠 anaranjado naranja నారింజ برتقالي برتقالية
  `,
  ],
  ['saffron', 'saffron kesar केसरिया केसर भगवा azafrán জাফরান காவி కాషాయం زعفراني'],
  ['marigold', 'honey apricot शहद'],
  [
    'gold',
    `
    gold golden gilded sona सुनहरा सुनहरी सुनहरे सोना सोने स्वर्ण தங்க সোনালি dorado dorada தங்கம் সোনা
    সোনালী బంగారం బంగారు ذهبي ذهبية
  `,
  ],
  ['turmeric', 'turmeric haldi mustard हल्दी सरसों'],
  [
    'yellow',
    `
    yellow lemon peela पीला पीली पीले மஞ்சள் হলুদ 🟡 amarillo amarilla పసుపు أصفر صفراء
  `,
  ],
  ['lime', 'lime chartreuse'],
  ['parrot', 'parrotgreen तोतापंखी धानी'],
  ['green', 'green hara हरा हरी हरे பச்சை সবুজ 🟢 verde ఆకుపచ్చ పచ్చ పచ్చని أخضر خضراء'],
  ['emerald', 'emerald jade पन्ना'],
  ['olive', 'olive moss मेहंदी'],
  ['forest', 'viridian fern'],
  ['mint', 'mint seafoam pistachio पुदीना पिस्ता'],
  ['turquoise', 'turquoise cyan aqua firozi फ़िरोज़ी turquesa فيروزي فيروزية'],
  ['teal', 'teal'],
  ['peacock', 'cerulean मोरपंखी'],
  ['sky', 'azure आसमानी celeste'],
  ['blue', 'blue neela नीला नीली नीले நீலம் நீல নীল 🔵 azul నీలం నీలి أزرق زرقاء'],
  ['cobalt', 'cobalt ultramarine sapphire lapis नीलम'],
  ['navy', 'navy'],
  ['indigo', 'indigo denim'],
  ['lavender', 'lavender lilac mauve'],
  ['violet', 'violet amethyst ultraviolet जामुनी violeta بنفسجي بنفسجية'],
  [
    'purple',
    `
    purple aubergine baingani बैंगनी ஊதா বেগুনি 🟣 morado morada púrpura ఊదా أرجواني أرجوانية
  `,
  ],
  ['plum', 'plum wine burgundy'],
  ['magenta', 'magenta fuchsia rani रानी'],
  ['pink', 'pink gulabi गुलाबी गुलाबि இளஞ்சிவப்பு গোলাপি rosa rosado rosada وردي وردية'],
  ['rose', 'raspberry strawberry'],
  ['blush', 'blush nude'],
  ['maroon', 'maroon oxblood मैरून'],
  ['brown', 'brown chocolate coffee umber sepia bhura भूरा भूरी भूरे பழுப்பு বাদামি 🟤 marrón'],
  ['copper', 'copper bronze rust rusty ताँबा ताम्र'],
  ['terracotta', 'terracotta clay ochre henna गेरुआ गेरू मिट्टी'],
  ['sand', 'sandy beige tan khaki camel'],
  ['ivory', 'ivory cream pearl pearly क्रीम मोती'],
  [
    'white',
    `
    white safed सफ़ेद श्वेत வெள்ளை সাদা ⚪ blanco blanca తెలుపు తెల్ల తెల్లని أبيض بيضاء
  `,
  ],
  ['silver', 'silver silvery chrome metallic चाँदी रजत plateado plateada plata వెండి فضي فضية'],
  ['gray', 'grey gray ash smoke smoky धूसर सलेटी gris رمادي رمادية'],
  ['charcoal', 'charcoal graphite'],
  [
    'black',
    `
    black kala jet obsidian काला काली काले கருப்பு কালো ⚫ negro negra கறுப்பு నలుపు నల్ల నల్లని أسود
    سوداء
  `,
  ],
]
