/** H: texts at their longest, and one longer. Nothing is ever cut without a word. */
import {
  CONTACT_MEANS_MAX,
  CONTACT_TEL_MAX,
  CONTACT_TEXT_MAX,
  EMERGENCY_DETAILS_MAX,
  IN_METHOD_MAX,
  NOTE_MAX,
  REPORT_CONTENT_MAX,
} from '#schemas/limits.ts'
import type { Bench } from '../bench.ts'
import { mustWhenWriting, type Case } from '../clause.ts'
import {
  contactBody,
  contactChange,
  emergency,
  entry,
  exitBody,
  locationBody,
  locationChange,
  note,
  pathId,
  put,
  readOne,
} from '../records.ts'
import { textOf } from '../shapes.ts'
import { must } from '../verdict.ts'
import type { Row } from '../shapes.ts'

/** Three bytes each in UTF-8, so that a limit in bytes shows. */
const longText = (bench: Bench, length: number) =>
  bench.mark.padEnd(length, 'あいうえお漢字').slice(0, length)

interface Field {
  name: string
  title: string
  max: number
  resource: string
  /** The record, and the body of its `PUT`. */
  record: (bench: Bench) => Promise<{ row: Row; body: object }>
  text?: (bench: Bench, length: number) => string
}

const contact = async (bench: Bench) => ({ row: (await contactChange(bench)).row, body: contactBody(bench) })

const fields: Field[] = [
  {
    name: 'note',
    title: '現場メモ',
    max: NOTE_MAX,
    resource: 'noteLocationArea',
    record: async (bench) => ({ row: await note(bench), body: {} }),
  },
  {
    name: 'emergencyContentsDetails',
    title: '緊急報告の内容',
    max: EMERGENCY_DETAILS_MAX,
    resource: 'emergencyReport',
    record: async (bench) => {
      const { row, sent } = await emergency(bench)
      return { row, body: sent }
    },
  },
  {
    name: 'reportContent',
    title: '退館報告の内容',
    max: REPORT_CONTENT_MAX,
    resource: 'quickReport',
    record: async (bench) => {
      const one = await entry(bench)
      return { row: one.report, body: exitBody(bench, one) }
    },
  },
  {
    name: 'inMethod',
    title: '入館方法',
    max: IN_METHOD_MAX,
    resource: 'customerLocationChangeRequest',
    record: async (bench) => ({ row: (await locationChange(bench)).row, body: locationBody(bench) }),
  },
  {
    name: 'name',
    title: '連絡先の名前',
    max: CONTACT_TEXT_MAX,
    resource: 'locationContactChangeRequest',
    record: contact,
  },
  {
    name: 'means',
    title: '連絡方法',
    max: CONTACT_MEANS_MAX,
    resource: 'locationContactChangeRequest',
    record: contact,
  },
  {
    name: 'tel1',
    title: '電話番号',
    max: CONTACT_TEL_MAX,
    resource: 'locationContactChangeRequest',
    record: contact,
    text: (_, length) => '03-1234-567890123456'.slice(0, length),
  },
]

/** Sets the field, and says what the CRM answered and has then. */
async function written(bench: Bench, { name, resource, record }: Field, text: string) {
  const { row, body } = await record(bench)
  const answer = await put(bench, `${resource}/${pathId(row)}`, { ...body, [name]: text })
  return { answer, now: textOf(await readOne(bench, resource, row), name) }
}

const atMost = (field: Field, id: string): Case => ({
  id,
  title: `${field.title}（${field.name}）は ${field.max} 文字まで入り、読むとそのまま`,
  run: async (bench) => {
    const text = (field.text ?? longText)(bench, field.max)
    const { answer, now } = await written(bench, field, text)
    must(
      answer.status === 204 || answer.status === 200,
      `${answer.status} でした：${answer.text.slice(0, 80)}`,
    )
    must(now === text, `読むと ${now?.length ?? 0} 文字で、送ったものと違います。`)
  },
})

const oneMore = (field: Field, id: string): Case => ({
  id,
  title: `${field.title}（${field.name}）の ${field.max + 1} 文字は、400 か 422、または全部入る（黙って切らない）`,
  run: async (bench) => {
    const text = (field.text ?? longText)(bench, field.max + 1)
    const { answer, now } = await written(bench, field, text)
    const { status } = answer
    if (status === 400 || status === 422) return must(now !== text, '断ったのに入っていました。')
    must(status === 204 || status === 200, `${status} でした。`)
    must(now === text, `${status} なのに、読むと ${now?.length ?? 0} 文字でした。`)
  },
})

export const limitClauses = mustWhenWriting([
  ...fields.map((field, i) => atMost(field, `H${2 * i + 1}`)),
  ...fields.map((field, i) => oneMore(field, `H${2 * i + 2}`)),
  {
    id: 'H15',
    title: '絵文字、改行、記号、<b>、引用符はそのまま読める',
    run: async (bench) => {
      const text = `${bench.mark}\n一行目\n🚧👷‍♀️𠮷野家 "引用" 'も' <b>&amp;\\ %00 ～―①㈱`
      const field = fields[0]
      must(field !== undefined, '')
      const { answer, now } = await written(bench, field, text)
      must(answer.status === 204 || answer.status === 200, `${answer.status} でした。`)
      must(now === text, `読むと ${JSON.stringify(now).slice(0, 120)} でした。`)
    },
  },
])
