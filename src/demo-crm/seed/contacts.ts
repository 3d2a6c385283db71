/** Contacts at the buildings (crm-contract 4: `inLocationContact`, `outLocationContact`). */
import { hash } from './hash.ts'
import type { LocationArea } from './locations.ts'

export interface LocationContact {
  name: string
  kana: string
  section: string | null
  class: string | null
  staffName: string | null
  means: string | null
  email: string | null
  tel1: string
}

type Desk = [name: string, kana: string, section: string | null, post: string | null, person: string | null]
const desks: Desk[] = [
  ['防災センター', 'ﾎﾞｳｻｲｾﾝﾀｰ', '設備管理課', '主任', '田村 浩'],
  ['管理人室', 'ｶﾝﾘﾆﾝｼﾂ', null, null, '栗原 正'],
  ['管理事務所', 'ｶﾝﾘｼﾞﾑｼｮ', '総務課', '所長', '野口 雅子'],
  ['警備室', 'ｹｲﾋﾞｼﾂ', '警備隊', '隊長', '平野 勝'],
]
const means = ['電話（平日9:00〜17:00）', '電話（24時間）', '到着30分前に電話', null]

/** @param role `in` for the entry, `out` for the exit, which sometimes has another contact */
export function contactOf(area: LocationArea, role: 'in' | 'out'): LocationContact {
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
