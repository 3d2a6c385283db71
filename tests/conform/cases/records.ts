/** D: all other records, read back as they were sent. */
import type { Bench } from '../bench.ts'
import { mustWhenWriting } from '../clause.ts'
import {
  anyVisit,
  contactBody,
  contactChange,
  differing,
  emergency,
  idOf,
  locationBody,
  locationChange,
  madeRow,
  mustPut,
  note,
  notesThere,
  pathId,
  post,
  readOne,
  safetyMeasure,
} from '../records.ts'
import { isRow, partOf, rowsIn, textOf, type Row } from '../shapes.ts'
import { must } from '../verdict.ts'
import type { Answer } from '../wire.ts'

const says = ({ text }: Answer, key: string) => text.includes(key)

/** What the single read of a request says of its change request. */
async function registered(bench: Bench, visit: Row, status: string, ref: string, id: string): Promise<void> {
  const whole = await bench.whole(visit)
  must(textOf(whole, status) === '2', `${status} が ${textOf(whole, status)} でした。`)
  must(textOf(partOf(whole, ref), 'id') === id, `${ref} の id が違います。`)
}

function mustBeAsSent(sent: object, read: Row): void {
  const wrong = differing(sent, read)
  must(wrong.length === 0, `送った内容と違います：${wrong.join(' ')}`)
}

export const recordClauses = mustWhenWriting([
  {
    id: 'D9',
    title: '緊急報告の登録は 201（id、name、emergencyReportFolderId）。依頼の一覧に、送ったままで出る',
    run: async (bench) => {
      const { visit, sent, row } = await emergency(bench)
      must(
        Boolean(textOf(row, 'name') && textOf(row, 'emergencyReportFolderId')),
        '名前かフォルダーがありません。',
      )
      const user = encodeURIComponent(await bench.loginUserId())
      const list = rowsIn(
        await bench.ask('GET', `emergencyReport/request/${pathId(visit)}?loginUserId=${user}`),
        '緊急報告の一覧',
      )
      const mine = list.find((each) => idOf(each) === idOf(row))
      must(mine !== undefined, '一覧にありません。')
      mustBeAsSent(sent, mine)
    },
  },
  {
    id: 'D10',
    title: '緊急報告の PUT は 204 で、読むとそのとおり',
    run: async (bench) => {
      const { sent, row } = await emergency(bench)
      const { requestId: _, ...rest } = { ...sent, risk: '3', correspondenceDate: '2' }
      await mustPut(bench, `emergencyReport/${pathId(row)}`, rest)
      mustBeAsSent(rest, await readOne(bench, 'emergencyReport', row))
    },
  },
  {
    id: 'D11',
    title: '安全対策の登録は 201。依頼のその日の safety に出る',
    run: async (bench) => {
      const { visit, sent, row } = await safetyMeasure(bench)
      must(Boolean(textOf(row, 'name') && textOf(row, 'safetyFolderId')), '名前かフォルダーがありません。')
      const there = rowsIn((await bench.whole(visit))['safety'] ?? [], 'safety').find(
        (each) => idOf(each) === idOf(row),
      )
      must(there !== undefined, '依頼の safety にありません。')
      mustBeAsSent({ type: sent.safetyType, workingDate: sent.workingDate, needFlag: sent.needFlag }, there)
    },
  },
  {
    id: 'D12',
    title: '同じ依頼・作業日・種類の安全対策の二度目は 400 ec00027',
    run: async (bench) => {
      const { sent } = await safetyMeasure(bench)
      const answer = await post(bench, 'safety', sent)
      must(
        answer.status === 400 && says(answer, 'ec00027'),
        `${answer.status} ${answer.text.slice(0, 80)} でした。`,
      )
    },
  },
  {
    id: 'D13',
    title: '入館・駐車場の変更依頼は 201。依頼の状態が 2 になり、id で読める',
    run: async (bench) => {
      const { visit, sent, row } = await locationChange(bench)
      await registered(
        bench,
        visit,
        'customerLocationChangeStatus',
        'customerLocationChangeRequest',
        idOf(row),
      )
      mustBeAsSent(
        { ...sent, ...locationBody(bench) },
        await readOne(bench, 'customerLocationChangeRequest', row),
      )
    },
  },
  {
    id: 'D14',
    title: 'その二度目は 202 ec00030',
    run: async (bench) => {
      const { sent } = await locationChange(bench)
      const { status, json } = await post(bench, 'customerLocationChangeRequest', sent)
      must(status === 202 && isRow(json) && textOf(json, 'message') === 'ec00030', `${status} でした。`)
    },
  },
  {
    id: 'D15',
    title: '連絡先の変更依頼は 201（type は 02・03）。依頼の状態が 2 になり、id で読める',
    run: async (bench) => {
      const { visit, sent, row } = await contactChange(bench)
      await registered(
        bench,
        visit,
        'inLocationContactChangeStatus',
        'inLocationContactChangeRequest',
        idOf(row),
      )
      const read = await readOne(bench, 'locationContactChangeRequest', row)
      mustBeAsSent({ ...sent, ...contactBody(bench) }, read)
    },
  },
  {
    id: 'D16',
    title: 'その二度目は 202 ec00026',
    run: async (bench) => {
      const { sent } = await contactChange(bench)
      const { status, json } = await post(bench, 'locationContactChangeRequest', sent)
      must(status === 202 && isRow(json) && textOf(json, 'message') === 'ec00026', `${status} でした。`)
    },
  },
  {
    id: 'D17',
    title: '変更依頼の PUT は全部を置き換え、読むとそのとおり',
    run: async (bench) => {
      const { row } = await contactChange(bench)
      const path = `locationContactChangeRequest/${pathId(row)}`
      await mustPut(bench, path, { ...contactBody(bench), section: '総務' })
      await mustPut(bench, path, { ...contactBody(bench), name: '適合試験 二' })
      mustBeAsSent(
        { ...contactBody(bench), name: '適合試験 二' },
        await readOne(bench, 'locationContactChangeRequest', row),
      )
      await mustPut(bench, path, contactBody(bench))
    },
  },
  {
    id: 'D18',
    title: '現場メモの登録は 201。依頼の一覧（type=1）に、自分の loginUserId で出る',
    run: async (bench) => {
      const row = await note(bench)
      must(
        Boolean(textOf(row, 'name') && textOf(row, 'noteLocationFolderId')),
        '名前かフォルダーがありません。',
      )
      const mine = (await notesThere(bench, `適合試験 ${bench.mark}`)).find(
        (each) => idOf(each) === idOf(row),
      )
      must(mine !== undefined, '一覧にありません。')
      must(
        textOf(mine, 'loginUserId') === (await bench.loginUserId()),
        `loginUserId が ${textOf(mine, 'loginUserId')} でした。`,
      )
    },
  },
  {
    id: 'D19',
    title: '現場メモの PUT は 204 で、書いた人は変わらない',
    run: async (bench) => {
      const row = await note(bench)
      await mustPut(bench, `noteLocationArea/${pathId(row)}`, { note: `適合試験 変更 ${bench.mark}` })
      const read = await readOne(bench, 'noteLocationArea', row)
      must(read['note'] === `適合試験 変更 ${bench.mark}`, '内容が違います。')
      must(textOf(read, 'loginUserId') === (await bench.loginUserId()), '書いた人が変わりました。')
      await mustPut(bench, `noteLocationArea/${pathId(row)}`, { note: `適合試験 ${bench.mark}` })
    },
  },
  {
    id: 'D20',
    title: '知らない項目は無視される',
    run: async (bench) => {
      const visit = await anyVisit(bench)
      const answer = await post(bench, 'noteLocationArea', {
        requestId: idOf(visit),
        note: `適合試験 項目 ${bench.mark}`,
        conformUnknown: { deep: [1] },
      })
      madeRow(bench, answer, '現場メモ', idOf(visit))
    },
  },
])
