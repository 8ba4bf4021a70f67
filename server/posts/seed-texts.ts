import { samplePrompts } from '../../shared/sample-prompts.ts'

const givenNames = [
  'Ananya',
  'रवि',
  'Meera',
  'Kabir',
  'சுதா',
  'Imran',
  'Tashi',
  'Leela',
  'অনির্বাণ',
  'Noor',
  'Joseph',
  'Zoya',
  'हेमंत',
  'Sana',
  'Aditi',
  'Harpreet',
  'Chitra',
  'Dev',
  'Åsa',
  'Øyvind',
  'Zoë',
  'Jürgen',
  'Ольга',
  'Дмитрий',
  'Ελένη',
  'Işıl',
  '小雨',
  '伟',
  'さくら',
  '지민',
  'فاطمة',
  'ਗੁਰਪ੍ਰੀਤ',
  'లక్ష్మి',
  'Nia',
  'Mateo',
  'Chloé',
] as const

const familyNames = [
  '',
  'Iyer',
  'कुमार',
  'Qureshi',
  'Rao',
  'Das',
  'Sharma',
  'शर्मा',
  'Fernandes',
  'Singh',
  'Bhattacharya',
  'সেন',
  'Nair',
  'നായർ',
  'Patel',
  'પટેલ',
  'Khan',
  'Dorje',
  'Gupta',
  'López',
  'Øster',
  'Иванова',
  '李',
  '田中',
] as const

const styles = [
  'as a watercolour',
  'in gouache on handmade paper',
  'as a linocut in three colours',
  'painted like a Mughal miniature',
  'as a pencil sketch',
  'in the manner of Kalamkari',
  'woven into a carpet',
  'as a paper-cut lantern',
  'embroidered in silk',
  'as a stained-glass window',
  'drawn in chalk on a doorstep',
  'as a poster from 1962',
  'in charcoal and gold leaf',
  'as a mosaic of broken bangles',
  'as a faded photograph',
  'modelled in clay',
] as const

const lights = [
  'in soft morning light',
  'under a full moon',
  'just before the rain',
  'in thick fog',
  'at blue hour',
  'lit by a single candle',
  'in the heat of noon',
  'after the first snow',
  'beneath a double rainbow',
  'by the glow of a television',
  'in winter sun',
  'while lightning crosses the sky',
] as const

const places = [
  'Varanasi',
  'Kochi (കൊച്ചി)',
  'Madurai (மதுரை)',
  'Kolkata (কলকাতা)',
  'Jaipur (जयपुर)',
  'Amritsar (ਅੰਮ੍ਰਿਤਸਰ)',
  'Hyderabad (హైదరాబాద్)',
  'Srinagar (سرینگر)',
  'Leh',
  'Goa',
  'Mysuru (ಮೈಸೂರು)',
  'Ahmedabad (અમદાવાદ)',
  'Shillong',
  'Puducherry',
  'İstanbul',
  'Kraków',
  'Москва',
  'Αθήνα',
  '上海',
  '京都',
  '서울',
  'Málaga',
  'Reykjavík',
  'Zürich',
] as const

const festivals = [
  'Diwali',
  'दीवाली',
  'Holi',
  'होली',
  'Onam (ഓണം)',
  'Pongal (பொங்கல்)',
  'Durga Puja (দুর্গাপূজা)',
  'Eid (عيد)',
  'Baisakhi (ਵਿਸਾਖੀ)',
  'Ugadi (ఉగాది)',
  'Losar',
  'Christmas',
  'Navratri (નવરાત્રી)',
  'Midsommar',
  '中秋节',
  '花見',
  '설날',
  'Nowruz (نوروز)',
] as const

const hindiStyles = [
  'जलरंग में',
  'पुराने पोस्टर की तरह',
  'मधुबनी शैली में',
  'काग़ज़ की कतरनों से',
  'मिट्टी में ढला हुआ',
] as const
const hindiLights = [
  'सुबह की धूप में',
  'पूरे चाँद के नीचे',
  'बारिश से ठीक पहले',
  'घने कोहरे में',
  'एक दीये की रोशनी में',
] as const
const hindiPlaces = ['बनारस', 'जयपुर', 'मथुरा', 'दिल्ली', 'पटना', 'भोपाल', 'उज्जैन', 'नैनीताल'] as const

export interface SeedText {
  /** Which sample prompt the text begins with. */
  readonly sample: string
  readonly name: string
  readonly prompt: string
}

/**
 * The author and prompt of a seeded post, always the same for its number. The first posts are the sample prompts as
 * they are; later ones go on about them in words of their own, so that a search has something to tell apart.
 */
export function seedText(index: number): SeedText {
  const sample = pick(samplePrompts, index)
  const choose = <Item>(items: readonly Item[], use: number) => pick(items, scatter(index, use))
  const name = `${choose(givenNames, 1)} ${choose(familyNames, 2)}`.trim()
  if (index < samplePrompts.length) return { sample, name, prompt: sample }
  const additions = isHindi(sample)
    ? [
        `${choose(hindiLights, 3)}, ${choose(hindiStyles, 4)}`,
        `${choose(hindiStyles, 4)}, ${choose(hindiPlaces, 5)} की याद`,
        `${choose(hindiPlaces, 5)}, ${choose(hindiLights, 3)}`,
      ]
    : [
        `${choose(lights, 3)}, ${choose(styles, 4)}`,
        `${choose(styles, 4)}, remembering ${choose(festivals, 5)} in ${choose(places, 6)}`,
        `the way they tell it in ${choose(places, 6)}, ${choose(lights, 3)}`,
        `for ${choose(festivals, 5)}, ${choose(lights, 3)}`,
        `seen from a train near ${choose(places, 6)}, ${choose(styles, 4)}`,
      ]
  return { sample, name, prompt: `${sample}, ${choose(additions, 7)}` }
}

function isHindi(text: string): boolean {
  return /\p{Script=Devanagari}/u.test(text)
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('There is nothing to seed the gallery with.')
  return item
}

/** A number that shows no pattern, though it is the same for the same post and use. */
function scatter(index: number, use: number): number {
  let bits = Math.imul(index + 1, 0x9e_37_79_b1) ^ Math.imul(use, 0x85_eb_ca_6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x7f_eb_35_2d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x84_6c_a6_8b)
  return (bits ^ (bits >>> 16)) >>> 0
}
