/** Values of a declared resource, made from its own limits and code tables. */
import fc from 'fast-check'
import type { Declaration, Field } from '#schemas/declare/declare.ts'

export const fieldsOf = ({ fields }: Declaration) => Object.entries<Field>(fields)

const moment = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((at) => at.toISOString())

/** A value that says something. */
function saying(field: Field): fc.Arbitrary<string | string[]> {
  switch (field.kind) {
    case 'text':
      return fc
        .tuple(
          fc.string({ minLength: 1, maxLength: Math.min(field.max, 40) - 2 }),
          fc.constantFrom('', ' ', '\n', '\r\n'),
        )
        .map((parts) => parts.join(''))
        .filter((text) => text.trim() !== '')
    case 'code':
      return fc.constantFrom(...field.table.options.map(({ code }) => code))
    case 'codes':
      return fc.subarray(
        field.table.options.map(({ code }) => code),
        { minLength: 1 },
      )
    case 'time':
      return moment
  }
}

export const content = (declaration: Declaration) =>
  fc.record(
    Object.fromEntries(
      fieldsOf(declaration).map(([name, field]) => [
        name,
        'required' in field ? saying(field) : fc.option(saying(field), { nil: null }),
      ]),
    ),
  )

const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).toSorted() : value)
/** What a server holds and what was saved say the same, times by their moment. */
export const plain = (declaration: Declaration, state: object) =>
  Object.fromEntries(
    fieldsOf(declaration).map(([name, { kind }]) => {
      const value: unknown = Reflect.get(state, name)
      return [name, kind === 'time' && typeof value === 'string' ? Date.parse(value) : sorted(value)]
    }),
  )

/** Another value than what a row has, as a CRM may write it. */
export function another(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return `${typeof value === 'string' ? value : ''}x`
    case 'time':
      return value === '2031-05-05T05:05:00Z' ? '2031-05-06T05:05:00Z' : '2031-05-05T05:05:00Z'
    case 'code':
      return field.table.options.find(({ code }) => code !== value)?.code
    case 'codes': {
      const codes = String(value).split(',')
      const rest = field.table.options.find(({ code }) => !codes.includes(code))
      return rest ? [...codes, rest.code].join(',') : codes.slice(1).join(',')
    }
  }
}

/** The same value, as another CRM may write it: a text trimmed, its lines ended in another way; codes in another order. */
export function rewritten(field: Field, value: unknown, how: number): unknown {
  if (typeof value !== 'string') return value
  switch (field.kind) {
    case 'text':
      return [value.trim(), value.replaceAll(/\r?\n/g, '\r\n'), value.replaceAll('\r\n', '\n')][how % 3]
    case 'codes':
      return value
        .split(',')
        .toReversed()
        .join(how % 2 === 0 ? ',' : ', ')
    case 'code':
    case 'time':
      return value
  }
}

/** A value a form takes, of so many characters. */
export function filledIn(field: Field, length?: number): string | string[] {
  if (field.kind === 'codes') return [field.table.options[0]?.code ?? '']
  if (field.kind === 'code') return field.table.options[0]?.code ?? ''
  if (field.kind === 'time') return ''
  const { rule } = field
  switch (rule) {
    case 'kana':
      return 'ｱ'.repeat(length ?? 2)
    case 'phone':
      return '0-'.padEnd(length ?? 4, '1')
    case 'email':
      return length === undefined ? 'a@b.jp' : `a@${'b'.repeat(length - 5)}.jp`
    case 'url':
      return `https://${'a'.repeat((length ?? 12) - 8)}`
    case 'zipcode':
      return '100-0001'
    case undefined:
    case 'hiragana':
      return 'あ'.repeat(length ?? 2)
    default:
      return '1'.repeat(length ?? 8)
  }
}
