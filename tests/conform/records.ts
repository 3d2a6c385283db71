/** Records that the cases make, each as the app makes it; what is made is written down. */
import type { Bench } from './bench.ts'
import { made, partOf, rowIn, rowsIn, shaped, textOf, type Row } from './shapes.ts'
import { tokyoTime } from './tokyo.ts'
import { must } from './verdict.ts'
import { randomKey, type Answer } from './wire.ts'

/** A moment of a working day, as the app sends it. */
export const atTime = (day: string, time: string) => `${day}T${time}:00+09:00`
export const dayOf = (row: Row) => textOf(row, 'workingDate') ?? ''
export const idOf = (row: Row) => textOf(row, 'id') ?? ''
export const pathId = (row: Row) => encodeURIComponent(idOf(row))

/** A creating call with a key. @param key the client's own id of the record */
export async function post(bench: Bench, path: string, body: object, key = randomKey()): Promise<Answer> {
  const loginUserId = await bench.loginUserId()
  return bench.rest('POST', `${path}/`, { ...body, loginUserId }, { 'idempotency-key': key })
}

/** The row that a creating call made; written down. */
export function madeRow(bench: Bench, answer: Answer, what: string, at: string, statuses = [201]): Row {
  must(
    statuses.includes(answer.status),
    `${what}の登録が ${answer.status} でした：${answer.text.slice(0, 120)}`,
  )
  shaped(made, answer.json, `${what}の登録`)
  const row = rowIn(answer.json, what)
  if (!bench.made.some(({ id }) => id === idOf(row))) bench.made.push({ what, id: idOf(row), at })
  return row
}

export const put = async (bench: Bench, path: string, body: object, headers: Record<string, string> = {}) =>
  bench.rest('PUT', path, { ...body, loginUserId: await bench.loginUserId() }, headers)

export async function mustPut(bench: Bench, path: string, body: object): Promise<void> {
  const { status, text } = await put(bench, path, body)
  must(
    status === 204 || status === 200,
    `PUT ${path.split('/')[0]} が ${status} でした：${text.slice(0, 120)}`,
  )
}

/** One of a resource by its id. */
export const readOne = async (bench: Bench, resource: string, row: Row): Promise<Row> =>
  rowIn(
    await bench.ask(
      'GET',
      `${resource}/${pathId(row)}?loginUserId=${encodeURIComponent(await bench.loginUserId())}`,
    ),
    resource,
  )

export interface Entry {
  /** The request's row. */
  visit: Row
  inTime: string
  report: Row
}

/** An entry on a day that has none. @param nth each number is another one */
export const entry = (bench: Bench, nth = 1): Promise<Entry> =>
  bench.once(`entry ${nth}`, async () => {
    const visit = await bench.claim(
      'entry',
      (row) => !partOf(row, 'quickReport') && dayOf(row) <= bench.today,
    )
    const inTime = atTime(dayOf(visit), '00:10')
    const key = randomKey()
    const report = madeRow(
      bench,
      await post(bench, 'quickReport', entryBody(visit, inTime), key),
      '入館',
      idOf(visit),
      [200],
    )
    bench.keys.set(idOf(report), key)
    return { visit, inTime, report }
  })

export const entryBody = (visit: Row, inTime: string) => ({
  requestId: idOf(visit),
  workingDate: dayOf(visit),
  workingDateType: textOf(visit, 'workingDateType'),
  inTime,
})

/** The exit of a report, whole; `more` replaces fields. */
export const exitBody = (bench: Bench, { visit, inTime }: Entry, more: object = {}) => ({
  inTime,
  outTime: atTime(dayOf(visit), '00:20'),
  type: '1',
  reason1: null,
  reason2: null,
  reportContent: `適合試験 ${bench.mark}`,
  ...more,
})

/** As the app sends it, whatever the offset it was read with. */
export const inTokyo = (text: string | null) => (text === null ? null : tokyoTime(Date.parse(text)))

const emergencyBody = (bench: Bench, visit: Row, details = `適合試験 ${bench.mark}`) => ({
  requestId: idOf(visit),
  workingDate: dayOf(visit),
  workingStartTime: inTokyo(textOf(visit, 'workingStartTime')),
  workingEndTime: inTokyo(textOf(visit, 'workingEndTime')),
  emergencyContents: '1,3',
  risk: '2,4',
  correspondenceDate: '1',
  ttsStaffContact: '2',
  emergencyContentsDetails: details,
})

/** Any request of the window will do. */
export const anyVisit = (bench: Bench) => bench.once('any visit', () => bench.claim('any', () => true))

export const emergency = (bench: Bench) =>
  bench.once('emergency', async () => {
    const visit = await anyVisit(bench)
    const startedAt = bench.now()
    const sent = emergencyBody(bench, visit)
    const answer = await post(bench, 'emergencyReport', sent)
    return { visit, sent, startedAt, row: madeRow(bench, answer, '緊急報告', idOf(visit)) }
  })

export async function newNote(bench: Bench, note: string, key?: string): Promise<Row> {
  const visit = await anyVisit(bench)
  return madeRow(
    bench,
    await post(bench, 'noteLocationArea', { requestId: idOf(visit), note }, key),
    '現場メモ',
    idOf(visit),
  )
}

export const note = (bench: Bench) => bench.once('note', () => newNote(bench, `適合試験 ${bench.mark}`))

/** The notes of the request that notes are made for. */
export async function notesThere(bench: Bench, text: string): Promise<Row[]> {
  const query = new URLSearchParams({
    type: '1',
    loginUserId: await bench.loginUserId(),
    limit: '50',
    offset: '1',
  })
  const path = `noteLocationArea/request/${pathId(await anyVisit(bench))}?${query}`
  return rowsIn(await bench.ask('GET', path), '現場メモの一覧').filter((row) => row['note'] === text)
}

export const safetyMeasure = (bench: Bench) =>
  bench.once('safety', async () => {
    const types = ['1', '2', '3', '4', '5']
    let free: string | undefined
    const visit = await bench.claim('safety', async (row) => {
      const there = (await bench.whole(row))['safety']
      const has = rowsIn(there ?? [], 'safety').filter((each) => dayOf(each) === dayOf(row))
      free = types.find(
        (type) => !has.some((each) => textOf(each, 'safetyType') === type || textOf(each, 'type') === type),
      )
      return free !== undefined
    })
    const sent = {
      requestId: idOf(visit),
      needFlag: '1',
      safetyType: free ?? '',
      workingDate: dayOf(visit),
      workingStartTime: null,
      workingEndTime: null,
    }
    const row = madeRow(bench, await post(bench, 'safety', sent), '安全対策', idOf(visit))
    return { visit, sent, row }
  })

export const locationBody = (bench: Bench) => ({
  parkingType: '1',
  parkingMethod: '適合試験',
  inMethod: `適合試験 ${bench.mark}`,
})

export const locationChange = (bench: Bench) =>
  bench.once('location', async () => {
    const visit = await bench.claim('location', (row) => textOf(row, 'customerLocationChangeStatus') === '1')
    const sent = { requestId: idOf(visit), ...locationBody(bench) }
    return {
      visit,
      sent,
      row: madeRow(
        bench,
        await post(bench, 'customerLocationChangeRequest', sent),
        '入館・駐車場の変更依頼',
        idOf(visit),
      ),
    }
  })

export const contactBody = (bench: Bench) => ({
  ...{ name: '適合試験', kana: 'テキゴウ', section: null, class: null },
  ...{ staffName: null, means: bench.mark, email: null, tel1: '03-0000-0000' },
})

export const contactChange = (bench: Bench) =>
  bench.once('contact', async () => {
    const visit = await bench.claim('contact', (row) => textOf(row, 'inLocationContactChangeStatus') === '1')
    const sent = { requestId: idOf(visit), type: '02', ...contactBody(bench) }
    return {
      visit,
      sent,
      row: madeRow(
        bench,
        await post(bench, 'locationContactChangeRequest', sent),
        '連絡先の変更依頼',
        idOf(visit),
      ),
    }
  })

/** A code may come as a number. */
const codeOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? `${value}` : value

/** The names of fields that differ from what was sent; an absent field and null are the same. */
export const differing = (sent: object, read: Row): string[] =>
  Object.entries(sent).flatMap(([name, value]) => {
    const got = read[name] ?? null
    const same =
      name.endsWith('Time') && typeof value === 'string' && typeof got === 'string'
        ? Date.parse(value) === Date.parse(got)
        : codeOf(got) === codeOf(value)
    return same ? [] : [name]
  })
