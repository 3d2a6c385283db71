/** Equipment in the seed's buildings: pumps, parking machines and tanks, with faults, parts and safety directions. */
import { hash, pick } from './hash.ts'
import type { LocationArea } from './locations.ts'

type EquipmentKind = LocationArea['kind']

/** `parts`: name, quantity and model. */
const equipment = {
  pit: {
    goodsName: '排水ポンプユニット',
    models: ['65DVS-52.2A', '80DL-53.7', '50DVS-50.75B'],
    parts: ['水中汚水ポンプ 1 65DVS-52.2A', '逆止弁 1 CV-65F', 'フロートスイッチ 3 FS-3'],
    situations: [
      '排水ポンプ1号機が起動せず、満水警報が2回発報。2号機のみで運転中です。',
      '汚水槽の水位が下がらない。ポンプの電流値が定格を超えています。',
      'フロートスイッチの引っ掛かりが疑われる。満水警報が断続的に発報。',
      '定期点検。前回1号機の絶縁抵抗が1MΩまで低下しているため再測定をお願いします。',
    ],
    messages: [
      '防災センターで鍵を受け取ってから入館してください。台車は搬入口Bから。10時以降は客用エレベーターを使えません。',
      '地下は電波が入りません。作業前に1階で連絡を済ませてください。',
      'ピットのふたは2名で開放してください。酸素濃度測定の記録を残すこと。',
    ],
    directions: [['1', '4'], ['1'], ['1', '3', '4']],
  },
  parking: {
    goodsName: '機械式駐車装置',
    models: ['EV-2段昇降式', 'PZ-3段ピット式', 'TW-タワー式'],
    parts: ['昇降用モーター 1 GM-3.7K', 'チェーン 4 RS80-2', '光電センサー 6 E3Z-T61'],
    situations: [
      '3番パレットが途中で停止し、入出庫ができません。エラーコードE-27。',
      '昇降時に異音あり。チェーンの伸びが疑われます。',
      'ゲートの開閉不良。センサーの位置調整をお願いします。',
      '四半期点検。パレット落下防止装置の動作確認を含みます。',
    ],
    messages: [
      '作業中は入居者へ休止の案内を掲示してください。出庫希望があれば管理室から連絡が入ります。',
      '操作盤の鍵は管理室で借ります。退館時に必ず返却してください。',
      '夕方は出庫が集中するため、16時までに復旧をお願いします。',
    ],
    directions: [['2', '5'], ['2', '3', '5'], ['2']],
  },
  tank: {
    goodsName: '給水装置',
    models: ['NX-50LAT404', 'KFE32P1.5', 'MC5-2.2S'],
    parts: ['加圧給水ポンプ 2 KFE32P1.5', '圧力タンク 1 PT-24L', 'インバーター 2 FR-E720-2.2K'],
    situations: [
      '早朝に減圧警報が発報。2号ポンプのインバーターが故障表示です。',
      '受水槽の定水位弁から漏水。オーバーフロー管に水が流れています。',
      '水槽清掃と残留塩素の測定。断水の案内は配布済です。',
      '揚水ポンプの軸封部から漏水（1分に20滴ほど）。',
    ],
    messages: [
      '断水作業は時間厳守。開始と終了を管理人室へ連絡してください。',
      '屋上への扉は暗証番号式です。番号は防災センターで確認してください。',
      '最上階の住戸で水圧の確認をお願いします（管理人立会い）。',
    ],
    directions: [['6'], ['3'], ['7']],
  },
}

export const situationOf = (kind: EquipmentKind, key: string) => pick(equipment[kind].situations, `s ${key}`)
export const messageOf = (kind: EquipmentKind, key: string) => pick(equipment[kind].messages, `m ${key}`)
export const directionsOf = (kind: EquipmentKind, key: string) => pick(equipment[kind].directions, `d ${key}`)

export function goodsOf(area: LocationArea, key: string) {
  const { goodsName, parts } = equipment[area.kind]
  const sets = 1 + (hash(`g ${key}`) % 2)
  return Array.from({ length: sets }, (_, set) => ({
    id: `gd-${area.id}-${set + 1}`,
    name: sets > 1 ? `${goodsName} ${set + 1}号機` : goodsName,
    goodsDetail: parts.map((part, i) => {
      const [itemName, quantity, model] = part.split(' ')
      return { id: `gi-${area.id}-${set + 1}-${i + 1}`, itemName, quantity, model }
    }),
  }))
}

export function devicesOf(area: LocationArea) {
  const { models } = equipment[area.kind]
  return models.slice(0, 1 + (hash(`dev ${area.id}`) % 2)).map((deviceModel, i) => ({
    deviceId: `dv-${area.id}-${i + 1}`,
    deviceModel,
    site1: area.name,
    site2: `${i + 1}号機`,
  }))
}

/** Returns the survey of an area's pits; null if the area has none (crm-contract 4). */
export function underPitOf(area: LocationArea) {
  if (area.kind !== 'pit') return null
  const seed = hash(`pit ${area.id}`)
  const code = (shift: number, count: number) => String(1 + ((seed >>> shift) % count))
  const survey = {
    site: code(0, 13),
    depth: code(4, 3),
    traffic: code(7, 2),
    hatch: code(9, 3),
    stepladder: code(12, 4),
    observer: code(15, 2),
    guide: code(17, 2),
  }
  return seed % 3 === 0 ? [survey, { ...survey, site: '2', depth: '3' }] : [survey]
}
