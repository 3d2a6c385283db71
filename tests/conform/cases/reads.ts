/** B: requests, their pages and their single reads. */
import type { Bench } from '../bench.ts'
import { mustWhenReading } from '../clause.ts'
import { dayOf, idOf, pathId } from '../records.ts'
import { requestRow, rowIn, rowsIn, shaped, staff, textOf, type Row } from '../shapes.ts'
import { addDays } from '../tokyo.ts'
import { must, needed } from '../verdict.ts'

const keyOf = (row: Row) => `${idOf(row)} ${dayOf(row)}`
const days = ({ today }: Bench) => ({
  workingDateFrom: addDays(today, -1),
  workingDateTo: addDays(today, 14),
})

async function someRows(bench: Bench): Promise<Row[]> {
  const rows = await bench.window()
  needed(rows.length > 0, '試験の期間（昨日〜14日先）に依頼がありません。')
  return rows
}

const orderOf = (row: Row) =>
  [
    dayOf(row),
    String(Date.parse(textOf(row, 'workingStartTime') ?? '') || 0).padStart(15, '0'),
    idOf(row),
  ].join(' ')

/** The notes of one request and type: their order, their number, their second page. */
async function checkNotes(bench: Bench, query: string, type: string): Promise<void> {
  const path = `noteLocationArea/request/${query}`
  const answer = await bench.rest('GET', `${path}&limit=50&offset=1`)
  const notes = rowsIn(answer.json, '現場メモの一覧')
  must(Number(answer.headers.get('x-total-count') ?? NaN) >= notes.length, 'x-total-count がありません。')
  must(
    notes.every((note) => textOf(note, 'type') === type),
    `type=${type} にほかの種類がありました。`,
  )
  const times = notes.map((note) => Date.parse(textOf(note, 'createdAt') ?? ''))
  must(
    times.every((time, i) => i === 0 || time <= (times[i - 1] ?? NaN)),
    '新しい順ではありません。',
  )
  if (notes.length < 2) return
  const second = rowsIn(await bench.ask('GET', `${path}&limit=1&offset=2`), '現場メモの一覧')
  must(
    second.length === 1 && idOf(second[0] ?? {}) === idOf(notes[1] ?? {}),
    'offset=2 が二件目ではありません。',
  )
}

export const readClauses = mustWhenReading([
  {
    id: 'B1',
    title: '一覧は配列で、x-total-count に全部の件数を付ける',
    run: async (bench) => {
      const all = await someRows(bench)
      const { total, rows } = await bench.search({ ...days(bench), limit: 1, offset: 1 })
      must(total !== null && /^\d+$/.test(total), `x-total-count が ${total ?? 'ありません'}。`)
      must(rows.length === 1, `limit=1 で ${rows.length} 件でした。`)
      must(
        all.length >= 400 || Number(total) === all.length,
        `x-total-count は ${total}、実際は ${all.length} 件でした。`,
      )
    },
  },
  {
    id: 'B2',
    title: 'offset は 1 から数え、ページをつなぐと抜けも重なりもない',
    run: async (bench) => {
      const whole = await someRows(bench)
      const { total } = await bench.search({ ...days(bench), limit: 1, offset: 1 })
      must(
        whole.length >= 400 || whole.length === Number(total),
        `${total} 件のうち ${whole.length} 件しか読めません。`,
      )
      const wanted = whole.slice(0, 9).map(keyOf)
      const pages: Row[] = []
      for (let offset = 1; offset <= wanted.length; offset += 3)
        pages.push(...(await bench.search({ ...days(bench), limit: 3, offset })).rows)
      must(
        pages.slice(0, wanted.length).map(keyOf).join() === wanted.join(),
        '3 件ずつ読んだものが、まとめて読んだものと違います。',
      )
    },
  },
  {
    id: 'B3',
    title: 'limit がなければ 50 件',
    run: async (bench) => {
      const { rows, total } = await bench.search({
        workingDateFrom: addDays(bench.today, -60),
        workingDateTo: addDays(bench.today, 30),
      })
      must(rows.length === Math.min(50, Number(total)), `${total} 件のうち ${rows.length} 件でした。`)
    },
  },
  {
    id: 'B4',
    title: '終わりを過ぎたページは空の配列で、件数は変わらない',
    run: async (bench) => {
      const first = await bench.search({ ...days(bench), limit: 1, offset: 1 })
      const { rows, total } = await bench.search({
        ...days(bench),
        limit: 50,
        offset: Number(first.total ?? 0) + 1,
      })
      must(rows.length === 0, `${rows.length} 件ありました。`)
      must(total === first.total, `x-total-count が ${first.total} から ${total} に変わりました。`)
    },
  },
  {
    id: 'B5',
    title: '一覧は作業日、開始時刻、id の順',
    run: async (bench) => {
      const keys = (await someRows(bench)).map(orderOf)
      const wrong = keys.findIndex((key, i) => i > 0 && key < (keys[i - 1] ?? ''))
      must(wrong < 0, `${wrong + 1} 件目の順が違います。`)
    },
  },
  {
    id: 'B6',
    title: '作業日の範囲は両端を含み、ほかの日は入らない',
    run: async (bench) => {
      const all = await someRows(bench)
      const day = dayOf(all[0] ?? {})
      const { rows } = await bench.search({ workingDateFrom: day, workingDateTo: day, limit: 50, offset: 1 })
      must(
        rows.every((row) => dayOf(row) === day),
        'ほかの日の依頼がありました。',
      )
      const there = all.filter((row) => dayOf(row) === day).length
      must(rows.length === Math.min(50, there), `${day} は ${there} 件のはずが ${rows.length} 件でした。`)
    },
  },
  {
    id: 'B7',
    title: '条件：requestCode は前方一致、locationName と customerName は部分一致、orderFlag はコンマ区切り',
    run: async (bench) => {
      const all = await someRows(bench)
      const order = (row: Row) => rowIn(row['ttsOrder'] ?? {}, 'ttsOrder')
      const nameOf = (row: Row, part: string) => textOf(rowIn(order(row)[part] ?? {}, part), 'name') ?? ''
      const [one = {}] = all
      const middle = (name: string) => name.slice(1, 4)
      const code = (textOf(one, 'requestCode') ?? '').slice(0, -1)
      const flags = [...new Set(all.map((row) => textOf(order(row), 'orderFlag') ?? ''))].slice(0, 2)
      const asked: [name: string, text: string, fits: (row: Row) => boolean][] = [
        ['requestCode', code, (row) => (textOf(row, 'requestCode') ?? '').startsWith(code)],
        [
          'locationName',
          middle(nameOf(one, 'locationArea')),
          (row) => nameOf(row, 'locationArea').includes(middle(nameOf(one, 'locationArea'))),
        ],
        [
          'customerName',
          middle(nameOf(one, 'customer')),
          (row) => nameOf(row, 'customer').includes(middle(nameOf(one, 'customer'))),
        ],
        ['orderFlag', flags.join(','), (row) => flags.includes(textOf(order(row), 'orderFlag') ?? '')],
      ]
      for (const [name, text, fits] of asked) {
        const { rows } = await bench.search({ ...days(bench), [name]: text, limit: 50, offset: 1 })
        must(rows.every(fits), `${name}=${text} に合わない行がありました。`)
        const expected = all.filter(fits).length
        must(
          rows.length === Math.min(50, expected),
          `${name}=${text} は ${expected} 件のはずが ${rows.length} 件でした。`,
        )
      }
    },
  },
  {
    id: 'B8',
    title: '行の形：id は 64 文字まで、作業日は YYYY-MM-DD、コード、連絡先の状態、ttsOrder',
    run: async (bench) => {
      for (const row of await someRows(bench)) shaped(requestRow, row, `依頼 ${idOf(row).slice(0, 64)}`)
    },
  },
  {
    id: 'B9',
    title: '一つの依頼の一つの作業日は一行',
    run: async (bench) => {
      const keys = (await someRows(bench)).map(keyOf)
      must(new Set(keys).size === keys.length, '同じ依頼の同じ日が二行ありました。')
    },
  },
  {
    id: 'B10',
    title: '一件の読み取りは、一覧のその行に、製品・機器・安全対策を足したもの',
    run: async (bench) => {
      const [row = {}] = await someRows(bench)
      const whole = await bench.whole(row)
      shaped(requestRow, whole, 'request/{id}')
      must(
        keyOf(whole) === keyOf(row) && textOf(whole, 'requestCode') === textOf(row, 'requestCode'),
        '一覧と別の行でした。',
      )
      for (const part of ['goods', 'device', 'safety']) rowsIn(whole[part], part)
    },
  },
  {
    id: 'B11',
    title: 'ない記録は 404',
    run: async (bench) => {
      for (const path of ['request', 'quickReport', 'emergencyReport', 'noteLocationArea', 'safety']) {
        const { status } = await bench.rest('GET', `${path}/conform-no-such-id`)
        must(status === 404, `${path} が ${status} でした。`)
      }
    },
  },
  {
    id: 'B12',
    title: '何日かの依頼は、workingDate の日の行を返す',
    run: async (bench) => {
      const all = await someRows(bench)
      const several = all.filter((row) =>
        all.some((other) => idOf(other) === idOf(row) && dayOf(other) !== dayOf(row)),
      )
      needed(several.length > 0, '何日かにわたる依頼が、試験の期間にありません。')
      for (const row of several.slice(0, 3)) {
        const read = dayOf(await bench.whole(row))
        must(read === dayOf(row), `${dayOf(row)} を読んで ${read} の行でした。`)
      }
    },
  },
  {
    id: 'B13',
    title: '過去の報告は新しい順で、limit・offset・x-total-count。ないものは 404',
    run: async (bench) => {
      const user = encodeURIComponent(await bench.loginUserId())
      let found = false
      for (const row of (await someRows(bench)).slice(0, 12)) {
        const devices = rowsIn((await bench.whole(row))['device'] ?? [], 'device')
        const device = devices.map((each) => textOf(each, 'deviceId')).find((each) => each !== null)
        if (!device) continue
        const answer = await bench.rest(
          'GET',
          `report/${encodeURIComponent(device)}?loginUserId=${user}&limit=20&offset=1`,
        )
        must(answer.status === 200 || answer.status === 404, `${answer.status} でした。`)
        if (answer.status === 404) continue
        const read = rowsIn(answer.json, 'report').map(dayOf)
        must(
          read.every((day, i) => i === 0 || day <= (read[i - 1] ?? '')),
          '新しい順ではありません。',
        )
        must(
          Number(answer.headers.get('x-total-count') ?? NaN) >= read.length,
          'x-total-count がありません。',
        )
        found = true
        if (read.length > 1) break
      }
      needed(found, '過去の報告のある機器が見つかりません。')
    },
  },
  {
    id: 'B14',
    title: '現場メモの一覧は新しい順で、type で分かれ、limit・offset・x-total-count',
    run: async (bench) => {
      const user = encodeURIComponent(await bench.loginUserId())
      for (const row of (await someRows(bench)).slice(0, 14))
        for (const type of ['1', '2'])
          await checkNotes(bench, `${pathId(row)}?type=${type}&loginUserId=${user}`, type)
    },
  },
  {
    id: 'B15',
    title: '担当者の一覧は id、name、supplierId、userFlag',
    run: async (bench) => {
      const { userInfo } = await bench.session()
      needed(Boolean(userInfo.supplierId), '利用者に supplierId がありません。')
      const user = encodeURIComponent(await bench.loginUserId())
      const path = `supplierStaff/${encodeURIComponent(userInfo.supplierId ?? '')}?loginUserId=${user}`
      const all = shaped(staff, await bench.ask('GET', path), 'supplierStaff')
      must(
        all.some(({ id }) => id === userInfo.supplierStaffId),
        '自分がいません。',
      )
    },
  },
])
