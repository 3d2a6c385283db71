/** Notes that partner companies left at the location areas. */
import type { NoteRow } from '../rows.ts'
import { addDays, atTime, previousMonth } from '../tokyo-day.ts'
import { hash, pick } from './hash.ts'
import { areaById } from './locations.ts'
import { others, staffIdOf, users } from './people.ts'

const texts = [
  'ピットのふたは2枚とも重い（約40kg）。2人で開けてください。手前のふたは右側から持ち上げると外れやすいです。',
  '分電盤の鍵は防災センターではなく管理室で借ります。17時に閉まります。',
  '地下は圏外です。1階エレベーターホールまで戻ると電波が入ります。',
  '搬入口Bのシャッターは高さ2.0m。ハイエースのハイルーフは入りません。',
  '雨の翌日は床が滑りやすいため注意。土のうが入口右手にあります。',
  '機械室の照明スイッチは扉の外側、消火栓の裏にあります。',
  '近隣から騒音の申し出あり。ハンドドリルは9時以降に使用してください。',
  '操作盤の表示が暗く読みにくいので、ヘッドライトを持参してください。',
  'トイレは1階管理室横を借りられます。作業靴の泥を落としてから使うこと。',
]
const writers = [
  ...users.filter((user) => user.supplierStaffId && user.userFlag <= 7),
  ...others,
  ...others.slice(0, 1),
].map(staffIdOf)

/** Up to eight notes for an area, some areas none; the places with many also have ones of type 2 現場. */
export function seedNotes(areaId: string, today: string): NoteRow[] {
  if (!areaById(areaId)) return []
  const count = [3, 0, 2, 8, 1, 0, 4][hash(`notes ${areaId}`) % 7] ?? 0
  return Array.from({ length: count }, (_, i) => {
    const key = `${areaId} ${i}`
    return {
      id: `nt.${areaId}.${i + 1}`,
      requestId: '',
      locationAreaId: areaId,
      type: count === 8 && i % 4 === 3 ? '2' : '1',
      openFlag: '1',
      note: texts[(hash(`t ${areaId}`) + i) % texts.length] ?? '',
      createdAt: atTime(
        addDays(previousMonth(today), -(i * 37 + (hash(`d ${key}`) % 20))),
        pick(['09:31', '11:40', '15:52'], key),
      ),
      name: `現場メモ_${areaId}_${i + 1}`,
      loginUserId: pick(writers, `w ${key}`),
      origin: 'seed' as const,
    }
  })
}
