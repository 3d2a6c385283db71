/** E: a creating call that comes twice with one `Idempotency-Key`. */
import { mustWhenWriting, wishWhenWriting } from '../clause.ts'
import { anyVisit, entry, entryBody, idOf, madeRow, notesThere, post } from '../records.ts'
import type { Bench } from '../bench.ts'
import { isRow } from '../shapes.ts'
import { must, wished } from '../verdict.ts'
import { randomKey, type Answer } from '../wire.ts'

const WITHOUT =
  'アプリは結果の分からない登録を読み戻してから送り直します。ブラウザ自身が切れた接続で POST を送り直すと、二重に登録されることがあります。'

const textFor = (bench: Bench, what: string) => `適合試験 ${what} ${bench.mark}`

async function postNote(bench: Bench, text: string, key: string): Promise<Answer> {
  const visit = await anyVisit(bench)
  return post(bench, 'noteLocationArea', { requestId: idOf(visit), note: text }, key)
}

async function writeDown(bench: Bench, answers: readonly Answer[]): Promise<string[]> {
  const at = idOf(await anyVisit(bench))
  return answers
    .filter(({ json }) => isRow(json) && 'id' in json)
    .map((answer) => idOf(madeRow(bench, answer, '現場メモ', at, [200, 201])))
}

/** How many of that text there are; those that were not known are written down. */
async function there(bench: Bench, text: string): Promise<number> {
  const rows = await notesThere(bench, text)
  const at = idOf(await anyVisit(bench))
  const known = new Set(bench.made.map(({ id }) => id))
  bench.made.push(
    ...rows
      .map(idOf)
      .filter((id) => !known.has(id))
      .map((id) => ({ what: '現場メモ', id, at })),
  )
  return rows.length
}

export const idempotencyClauses = [
  ...wishWhenWriting([
    {
      id: 'E1',
      title: '同じ鍵の二度目の登録は、記録を増やさず、同じ id を返す',
      without: WITHOUT,
      run: async (bench) => {
        const [text, key] = [textFor(bench, '鍵一'), randomKey()]
        const answers = [await postNote(bench, text, key), await postNote(bench, text, key)]
        const ids = await writeDown(bench, answers)
        wished((await there(bench, text)) === 1, 'Idempotency-Key は見られていません：二件になりました。')
        must(
          ids.length === 2 && ids[0] === ids[1],
          `二度目の応答が違います（${answers.map(({ status }) => status).join('、')}）。`,
        )
      },
    },
    {
      id: 'E2',
      title: '同じ鍵の登録が同時に来ても、記録は一つ',
      without: WITHOUT,
      run: async (bench) => {
        const [text, key] = [textFor(bench, '鍵二'), randomKey()]
        await anyVisit(bench)
        const answers = await Promise.all(Array.from({ length: 6 }, () => postNote(bench, text, key)))
        await writeDown(bench, answers)
        const count = await there(bench, text)
        wished(count === 1, `${count} 件になりました。`)
      },
    },
    {
      id: 'E3',
      title: '応答の前に接続が切れたあと、同じ鍵で送り直しても、記録は一つ',
      without: WITHOUT,
      run: async (bench) => {
        const [text, key] = [textFor(bench, '鍵三'), randomKey()]
        const visit = await anyVisit(bench)
        const { accessToken } = await bench.session()
        const headers = { authorization: `Bearer ${accessToken}`, 'idempotency-key': key }
        const body = { requestId: idOf(visit), note: text, loginUserId: await bench.loginUserId() }
        await bench.wire.dropped('POST', `${bench.at.rest}/noteLocationArea/`, { body, headers })
        const again = await postNote(bench, text, key)
        must(again.status === 200 || again.status === 201, `送り直しが ${again.status} でした。`)
        await writeDown(bench, [again])
        const count = await there(bench, text)
        wished(count === 1, `${count} 件になりました。`)
      },
    },
    {
      id: 'E4',
      title: '入館の登録も：同じ鍵の二度目は、前と同じ 200（400 ec00011 ではなく）',
      without: 'アプリは ec00011 のあとに依頼を読み戻し、自分の入館なら成功とします。',
      run: async (bench) => {
        const { visit, inTime, report } = await entry(bench, 4)
        const key = bench.keys.get(idOf(report)) ?? ''
        const again = await post(bench, 'quickReport', entryBody(visit, inTime), key)
        wished(again.status === 200, `${again.status} でした。`)
        must(isRow(again.json) && idOf(again.json) === idOf(report), '別の id でした。')
      },
    },
  ]),
  ...mustWhenWriting([
    {
      id: 'E5',
      title: '鍵が違えば、同じ内容でも別の記録になる',
      run: async (bench) => {
        const text = textFor(bench, '別の鍵')
        await writeDown(bench, [
          await postNote(bench, text, randomKey()),
          await postNote(bench, text, randomKey()),
        ])
        const count = await there(bench, text)
        must(count === 2, `${count} 件でした。`)
      },
    },
    {
      id: 'E6',
      title: '内容で断った登録は、直して同じ鍵で送ると通る',
      run: async (bench) => {
        const [text, key] = [textFor(bench, '直した'), randomKey()]
        const refused = await postNote(bench, '', key)
        must(refused.status === 400 || refused.status === 422, `空のメモが ${refused.status} でした。`)
        const again = await postNote(bench, text, key)
        must(again.status === 201, `直したものが ${again.status} でした。`)
        await writeDown(bench, [again])
        must((await there(bench, text)) === 1, '登録されていません。')
      },
    },
  ]),
]
