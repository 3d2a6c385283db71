/** F: the clock and time zones. */
import { mustWhenReading, mustWhenWriting, wishWhenReading } from '../clause.ts'
import { emergency, entry, exitBody, idOf, mustPut, pathId, readOne } from '../records.ts'
import { isRow, textOf } from '../shapes.ts'
import { isMoment, sameMoment } from '../tokyo.ts'
import { must, needed, wished } from '../verdict.ts'

const CLOCK_MS = 5 * 60_000

/** Every text of an answer that is or looks like a date with a time, with its name. */
function* momentsIn(value: unknown, name = ''): Generator<[name: string, text: string]> {
  if (typeof value === 'string' && /^\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}/.test(value)) yield [name, value]
  if (Array.isArray(value)) for (const each of value) yield* momentsIn(each, name)
  if (isRow(value)) for (const [key, each] of Object.entries(value)) yield* momentsIn(each, key)
}

export const timeClauses = [
  ...wishWhenReading([
    {
      id: 'F1',
      title: 'Date ヘッダーがあり、時計は 5 分以上ずれていない',
      without: '端末の時計を信じます。ずれた端末では、入退館の時刻と 24 時間の期限がずれます。',
      run: async (bench) => {
        const { headers } = await bench.rest('GET', 'request/search?limit=1&offset=1')
        const date = Date.parse(headers.get('date') ?? '')
        wished(!Number.isNaN(date), 'Date ヘッダーがありません。')
        const off = Math.round(Math.abs(bench.now() - date) / 1000)
        must(off * 1000 < CLOCK_MS, `この機械の時計と ${off} 秒違います。`)
      },
    },
  ]),
  ...mustWhenReading([
    {
      id: 'F2',
      title: '日時は ISO 8601 で、+09:00 か Z などの時差を付ける',
      run: async (bench) => {
        const rows = await bench.window()
        needed(rows.length > 0, '依頼がありません。')
        const whole = await bench.whole(rows[0] ?? {})
        const wrong = [...momentsIn([rows, whole])].find(([, text]) => !isMoment(text))
        must(wrong === undefined, `${wrong?.[0]} が ${wrong?.[1]} でした。`)
      },
    },
  ]),
  ...mustWhenWriting([
    {
      id: 'F3',
      title: '+09:00 で送った時刻は、同じ瞬間として読める（日をまたぐ時刻も）',
      run: async (bench) => {
        const one = await entry(bench)
        const outTime = `${bench.today}T00:30:00+09:00`
        await mustPut(bench, `quickReport/${pathId(one.report)}`, exitBody(bench, one, { outTime }))
        const read = textOf(await readOne(bench, 'quickReport', one.report), 'outTime')
        must(sameMoment(read, outTime), `${outTime} が ${read} になりました。`)
      },
    },
    {
      id: 'F4',
      title: 'createdAt は登録した時刻（5 分以内）',
      run: async (bench) => {
        const { row, startedAt } = await emergency(bench)
        const createdAt = textOf(await readOne(bench, 'emergencyReport', row), 'createdAt') ?? ''
        must(
          isMoment(createdAt) && Math.abs(Date.parse(createdAt) - startedAt) < CLOCK_MS,
          `${idOf(row)} の createdAt が ${createdAt} でした。`,
        )
      },
    },
  ]),
]
