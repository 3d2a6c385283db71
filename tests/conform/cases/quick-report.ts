/** D: entry, exit and their changes. */
import type { Bench } from '../bench.ts'
import { mustWhenWriting } from '../clause.ts'
import {
  atTime,
  dayOf,
  entry,
  entryBody,
  exitBody,
  idOf,
  inTokyo,
  mustPut,
  pathId,
  post,
  put,
  readOne,
} from '../records.ts'
import { partOf, textOf, type Row } from '../shapes.ts'
import { addDays, sameMoment } from '../tokyo.ts'
import { must, needed } from '../verdict.ts'
import type { Answer } from '../wire.ts'

const says = ({ text }: Answer, key: string) => text.includes(key)

const report = async (bench: Bench, row: Row) => readOne(bench, 'quickReport', row)

export const quickReportClauses = mustWhenWriting([
  {
    id: 'D1',
    title: '入館の登録は 200（id と inTime）。依頼のその日の quickReport に出る',
    run: async (bench) => {
      const { visit, inTime, report: made } = await entry(bench)
      const summary = partOf(await bench.whole(visit), 'quickReport')
      must(textOf(summary, 'id') === idOf(made), '依頼の quickReport に出ていません。')
      must(sameMoment(textOf(summary, 'inTime'), inTime), `inTime が ${textOf(summary, 'inTime')} でした。`)
    },
  },
  {
    id: 'D2',
    title: '同じ依頼の同じ日の二度目の入館は 400 ec00011',
    run: async (bench) => {
      const { visit } = await entry(bench)
      const answer = await post(bench, 'quickReport', entryBody(visit, atTime(dayOf(visit), '00:15')))
      must(
        answer.status === 400 && says(answer, 'ec00011'),
        `${answer.status} ${answer.text.slice(0, 80)} でした。`,
      )
    },
  },
  {
    id: 'D3',
    title: 'PUT は全部を置き換える：ない項目は null',
    run: async (bench) => {
      const one = await entry(bench)
      const path = `quickReport/${pathId(one.report)}`
      await mustPut(bench, path, exitBody(bench, one, { type: '2', reason1: '1' }))
      await mustPut(bench, path, {
        inTime: one.inTime,
        outTime: atTime(dayOf(one.visit), '00:25'),
        type: '1',
      })
      const read = await report(bench, one.report)
      for (const name of ['reportContent', 'reason1Id', 'reason2Id'])
        must(!textOf(read, name), `${name} が残りました。`)
    },
  },
  {
    id: 'D4',
    title: 'inTime のない PUT は、入館の時刻をそのままにする',
    run: async (bench) => {
      const one = await entry(bench)
      const { inTime: _, ...rest } = exitBody(bench, one)
      await mustPut(bench, `quickReport/${pathId(one.report)}`, rest)
      const inTime = textOf(await report(bench, one.report), 'inTime')
      must(sameMoment(inTime, one.inTime), `inTime が ${inTime} になりました。`)
    },
  },
  {
    id: 'D5',
    title: 'requestUpdate は、挙げたすべての報告に退館を登録する',
    run: async (bench) => {
      const both = [await entry(bench, 2), await entry(bench, 3)]
      const [first] = both
      const outTime = atTime(bench.today, '00:40')
      const quickReports = both.map(({ report: { id } }) => ({ id }))
      await mustPut(bench, 'quickReport/requestUpdate', {
        outTime,
        type: '3',
        reason1: null,
        reason2: '2',
        reportContent: `適合試験 ${bench.mark}`,
        quickReports,
      })
      for (const { report: row } of both) {
        const read = await report(bench, row)
        must(sameMoment(textOf(read, 'outTime'), outTime), 'outTime が登録されていない報告があります。')
        must(textOf(read, 'reason2Id') === '2' && !textOf(read, 'reason1Id'), '理由が違う報告があります。')
      }
      must(
        sameMoment(textOf(await report(bench, first?.report ?? {}), 'inTime'), first?.inTime ?? null),
        '入館の時刻が変わりました。',
      )
    },
  },
  {
    id: 'D6',
    title: '報告の読み取りは、送った区分と理由（reason1Id、reason1Name）を返す',
    run: async (bench) => {
      const one = await entry(bench)
      await mustPut(
        bench,
        `quickReport/${pathId(one.report)}`,
        exitBody(bench, one, { type: '2', reason1: '5' }),
      )
      const read = await report(bench, one.report)
      must(textOf(read, 'type') === '2' && textOf(read, 'reason1Id') === '5', '区分か理由が違います。')
      must(Boolean(textOf(read, 'typeName') && textOf(read, 'reason1Name')), '名前がありません。')
      must(
        dayOf(read) === dayOf(one.visit) && textOf(read, 'requestId') === idOf(one.visit),
        '依頼か作業日が違います。',
      )
    },
  },
  {
    id: 'D7',
    title: '同じ PUT を二度送っても、二度目も通り、内容は同じ',
    run: async (bench) => {
      const one = await entry(bench)
      const path = `quickReport/${pathId(one.report)}`
      await mustPut(bench, path, exitBody(bench, one))
      const before = JSON.stringify(await report(bench, one.report))
      await mustPut(bench, path, exitBody(bench, one))
      must(JSON.stringify(await report(bench, one.report)) === before, '二度目で内容が変わりました。')
    },
  },
  {
    id: 'D8',
    title: '作業日から 7 日を過ぎた報告の PUT は 400 ec00012',
    run: async (bench) => {
      const range = { workingDateFrom: addDays(bench.today, -40), workingDateTo: addDays(bench.today, -9) }
      const { rows } = await bench.search({ ...range, limit: 50, offset: 1 })
      const old = rows
        .filter(bench.mayChange)
        .map((row) => partOf(row, 'quickReport'))
        .find((each) => each !== undefined)
      needed(old !== undefined, '7 日より前の退館報告がありません。')
      const { type, reason1Id, reason2Id, reportContent, ...read } = await report(bench, old)
      const answer = await put(bench, `quickReport/${pathId(old)}`, {
        outTime: inTokyo(textOf(read, 'outTime')),
        type,
        reason1: reason1Id,
        reason2: reason2Id,
        reportContent,
      })
      must(
        answer.status === 400 && (says(answer, 'ec00012') || says(answer, 'ec00008')),
        `${answer.status} ${answer.text.slice(0, 80)} でした。`,
      )
    },
  },
])
