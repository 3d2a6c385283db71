/** C: conditional reads and writes. The app goes on without them. */
import type { Bench } from '../bench.ts'
import { wishWhenReading, wishWhenWriting } from '../clause.ts'
import { dayOf, mustPut, newNote, note, pathId, put, readOne } from '../records.ts'
import { must, needed, wished } from '../verdict.ts'
import { idOf } from '../records.ts'

async function readFirst(bench: Bench, headers: Record<string, string> = {}) {
  const [row] = await bench.window()
  needed(row !== undefined, '試験の期間に依頼がありません。')
  const user = encodeURIComponent(await bench.loginUserId())
  return bench.rest(
    'GET',
    `request/${encodeURIComponent(idOf(row))}?supplierStaffId=${user}&workingDate=${dayOf(row)}`,
    undefined,
    headers,
  )
}

async function tagOfNote(bench: Bench, row: Awaited<ReturnType<typeof note>>): Promise<string> {
  const user = encodeURIComponent(await bench.loginUserId())
  const { headers } = await bench.rest('GET', `noteLocationArea/${pathId(row)}?loginUserId=${user}`)
  const tag = headers.get('etag')
  wished(tag !== null && !tag.startsWith('W/'), '強い ETag がありません。')
  return tag
}

const WITHOUT_TAG = '毎回全部を読みます（通信量が増えます）。'
const WITHOUT_MATCH =
  '書く直前に読んで合わせるだけになり、その間に他の人が書いた内容を上書きすることがあります。'

export const conditionalClauses = [
  ...wishWhenReading([
    {
      id: 'C1',
      title: '一件の GET に強い ETag（W/ の付かないもの）',
      without: `${WITHOUT_TAG}${WITHOUT_MATCH}`,
      run: async (bench) => {
        const tag = (await readFirst(bench)).headers.get('etag')
        wished(tag !== null, 'ETag がありません。')
        must(/^(W\/)?"[^"]*"$/.test(tag), `ETag の書き方が正しくありません：${tag.slice(0, 80)}`)
        wished(!tag.startsWith('W/'), `弱い ETag でした：${tag.slice(0, 80)}`)
      },
    },
    {
      id: 'C2',
      title: '変わらない記録の ETag は変わらず、If-None-Match に本文のない 304',
      without: WITHOUT_TAG,
      run: async (bench) => {
        const tag = (await readFirst(bench)).headers.get('etag')
        wished(tag !== null, 'ETag がありません。')
        const second = (await readFirst(bench)).headers.get('etag')
        must(second === tag, '変わらないのに、読むたびに ETag が変わります。')
        const again = await readFirst(bench, { 'if-none-match': tag })
        wished(again.status === 304, `If-None-Match に ${again.status} でした。`)
        must(again.bytes.length === 0, '304 に本文がありました。')
      },
    },
    {
      id: 'C3',
      title: '別の ETag の If-None-Match には 200 と本文',
      without: WITHOUT_TAG,
      run: async (bench) => {
        const { status, json } = await readFirst(bench, { 'if-none-match': '"conform-another"' })
        must(status === 200 && json !== undefined, `${status} でした。`)
      },
    },
  ]),
  ...wishWhenWriting([
    {
      id: 'C4',
      title: '合わない If-Match の PUT は 412 で、何も変えない',
      without: WITHOUT_MATCH,
      run: async (bench) => {
        const row = await newNote(bench, `適合試験 条件 ${bench.mark}`)
        await tagOfNote(bench, row)
        const answer = await put(
          bench,
          `noteLocationArea/${pathId(row)}`,
          { note: `上書き ${bench.mark}` },
          { 'if-match': '"conform-another"' },
        )
        const now = (await readOne(bench, 'noteLocationArea', row))['note']
        wished(answer.status === 412, `${answer.status} でした。`)
        must(now === `適合試験 条件 ${bench.mark}`, '412 なのに内容が変わりました。')
      },
    },
    {
      id: 'C5',
      title: '合う If-Match の PUT は通り、ETag が変わる',
      without: WITHOUT_MATCH,
      run: async (bench) => {
        const row = await note(bench)
        const tag = await tagOfNote(bench, row)
        const { status } = await put(
          bench,
          `noteLocationArea/${pathId(row)}`,
          { note: `適合試験 二 ${bench.mark}` },
          { 'if-match': tag },
        )
        must(status === 204 || status === 200, `${status} でした。`)
        must((await tagOfNote(bench, row)) !== tag, '変えたのに ETag が同じです。')
        await mustPut(bench, `noteLocationArea/${pathId(row)}`, { note: `適合試験 ${bench.mark}` })
      },
    },
  ]),
]
