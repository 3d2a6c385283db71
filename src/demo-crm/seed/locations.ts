/** Work locations: fictional buildings in Tokyo, one row for each location area. */
import { hash, pick } from './hash.ts'

type EquipmentKind = 'pit' | 'parking' | 'tank'
type Row = [string, string, EquipmentKind, string, string, string | null, string]
const rows: Row[] = [
  ['ベイサイド東雲', 'A棟 地下ピット', 'pit', '江東区', '東雲1-9-14', null, 'ベイサイド東雲 管理組合'],
  ['メゾン清澄白河', '受水槽室', 'tank', '江東区', '清澄3-4-22', null, '清澄ビルサービス株式会社'],
  ['グランド豊洲', '立体駐車場2号機', 'parking', '江東区', '豊洲5-11-3', null, '株式会社みなと管財'],
  ['コート門前仲町', '雨水ポンプ室', 'pit', '江東区', '門前仲町2-6-8', null, 'コート門前仲町 管理組合'],
  ['レジデンス森下', '排水槽', 'pit', '江東区', '森下4-17-1', null, '森下レジデンス 管理組合'],
  [
    'ルネ月島タワー',
    '地下2階 汚水槽',
    'pit',
    '中央区',
    '月島3-21-5',
    'ルネ月島タワー',
    'ルネ月島タワー 管理組合',
  ],
  ['日本橋堀留センター', '機械式駐車場', 'parking', '中央区', '日本橋堀留町1-8-12', null, '堀留開発株式会社'],
  ['築地オーシャンビル', '屋上 高架水槽', 'tank', '中央区', '築地6-2-9', null, '築地興産株式会社'],
  ['芝浦リバーコート', '地下 雑排水槽', 'pit', '港区', '芝浦4-13-7', null, '芝浦リバーコート 管理組合'],
  ['高輪ヒルトップ', '立体駐車場1号機', 'parking', '港区', '高輪2-19-4', null, '高輪ヒルトップ 管理組合'],
  ['三田グリーンハイツ', '増圧ポンプ室', 'tank', '港区', '三田5-3-16', 'B1階', '三田住宅管理株式会社'],
  ['大井ステーションプラザ', '湧水ピット', 'pit', '品川区', '大井1-27-2', null, '大井プラザ運営株式会社'],
  ['西五反田スクエア', '機械式駐車場', 'parking', '品川区', '西五反田7-9-20', null, '五反田スクエア株式会社'],
  ['東品川フロント', '消火水槽室', 'tank', '品川区', '東品川4-5-11', null, '東品川フロント 管理組合'],
  ['蒲田サンライズ', '地下 排水ポンプ室', 'pit', '大田区', '蒲田5-38-6', null, '株式会社サンライズ管理'],
  ['亀戸パークサイド', '受水槽室', 'tank', '江東区', '亀戸6-41-9', null, '亀戸パークサイド 管理組合'],
  ['錦糸町アーバン', '立体駐車場', 'parking', '墨田区', '江東橋4-22-3', null, '錦糸町アーバン株式会社'],
  ['押上ガーデン', '地下ピット', 'pit', '墨田区', '押上2-15-10', null, '押上ガーデン 管理組合'],
  ['プラザ木場', '機械式駐車場', 'parking', '江東区', '木場2-7-23', null, '木場プラザ管理株式会社'],
  ['南砂第一ビル', '給水ポンプ室', 'tank', '江東区', '南砂3-12-1', '南砂第一ビル B1', '南砂不動産株式会社'],
  ['勝どきシティ', '地下 汚水槽', 'pit', '中央区', '勝どき4-8-15', null, '勝どきシティ 管理組合'],
  ['浜松町トレード', '立体駐車場3号機', 'parking', '港区', '浜松町1-30-4', null, '浜松町トレード株式会社'],
  ['上野桜木レジデンス', '雨水貯留槽', 'pit', '台東区', '上野桜木1-14-6', null, '上野桜木 管理組合'],
  ['浅草橋ニュービル', '屋上 揚水ポンプ', 'tank', '台東区', '浅草橋3-25-8', null, '浅草橋興業株式会社'],
]

const sales = ['高橋 直人', '斎藤 美咲', '村上 浩二', '藤井 綾']

const inMethods = [
  '防災センターで入館票を記入し、鍵と入館証を受け取ってから入館してください。',
  '1階管理人室に声をかけ、オートロックを解除してもらう。管理人不在時（12:00〜13:00）はキーボックス（番号は営業担当へ確認）。',
  '通用口インターホン「999」で警備室を呼び出す。作業者名簿の提示が必要です。',
  '管理会社から借りた鍵で通用口から入館。退館時は必ず施錠し、管理会社へ電話連絡する。',
]
const parkings = [
  { parkingType: '1', parkingMethod: '地下1階の荷捌き場に1台（高さ2.1mまで）。管理人室で駐車証を受け取る。' },
  { parkingType: '1', parkingMethod: '来客用駐車場3番を使用。ダッシュボードに会社名を掲示すること。' },
  { parkingType: '2', parkingMethod: '敷地内駐車不可。北側のコインパーキングを利用し、領収書を保管。' },
  { parkingType: null, parkingMethod: '駐車場の指定なし。路上駐車は厳禁です。' },
]

export type LocationArea = ReturnType<typeof areaOf>

function areaOf(row: Row, index: number) {
  const [building, part, kind, city, address1, address2, customerName] = row
  const id = `la-${301 + index}`
  return {
    id,
    name: `${building} ${part}`,
    building,
    kind,
    city,
    address1,
    address2,
    customerName,
    salesName: pick(sales, `sales ${building}`),
    inMethod: pick(inMethods, `in ${building}`),
    ...pick(parkings, `parking ${building}`),
  }
}

export const areas: readonly LocationArea[] = rows.map(areaOf)
/** Areas whose work takes one day; `severalDaysAreas`: those whose work takes several days. */
export const oneDayAreas = areas.slice(0, 18)
export const severalDaysAreas = areas.slice(18)

type Desk = [name: string, kana: string, section: string | null, post: string | null, person: string | null]
const desks: Desk[] = [
  ['防災センター', 'ﾎﾞｳｻｲｾﾝﾀｰ', '設備管理課', '主任', '田村 浩'],
  ['管理人室', 'ｶﾝﾘﾆﾝｼﾂ', null, null, '栗原 正'],
  ['管理事務所', 'ｶﾝﾘｼﾞﾑｼｮ', '総務課', '所長', '野口 雅子'],
  ['警備室', 'ｹｲﾋﾞｼﾂ', '警備隊', '隊長', '平野 勝'],
]
const means = ['電話（平日9:00〜17:00）', '電話（24時間）', '到着30分前に電話', null]

/** @param role `in` for the entry, `out` for the exit, which sometimes has another contact */
export function contactOf(area: LocationArea, role: 'in' | 'out') {
  const seed = hash(role === 'out' && hash(area.id) % 3 === 0 ? `${area.id} out` : area.id)
  const [name, kana, section, post, staffName] = desks[seed % desks.length] ?? desks[0]!
  const number = String(hash(`${area.id} ${name}`) % 100).padStart(2, '0')
  return {
    name: `${area.building} ${name}`,
    kana,
    section,
    class: post,
    staffName,
    means: means[seed % means.length] ?? null,
    email: seed % 2 === 0 ? `kanri-${area.id}@example.jp` : null,
    tel1: `03-5550-01${number}`,
  }
}
