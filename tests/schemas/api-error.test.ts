import { expect, test } from 'vitest'
import { refusalReasons } from '#schemas/api-error.ts'

test.each([
  ['202: a message key', { message: 'ec00030' }, ['ec00030']],
  ['202: plain text', { message: '登録できません。' }, ['登録できません。']],
  [
    '400: several texts, in order',
    { errors: ['ec00011', '日付が不正です。'] },
    ['ec00011', '日付が不正です。'],
  ],
  ['400: one text', { errors: 'ec00012' }, ['ec00012']],
  [
    '400: error',
    { error: 'ユーザー名、パスワードが間違っています' },
    ['ユーザー名、パスワードが間違っています'],
  ],
  ['unknown fields beside it', { error: 'no', status: 400, path: '/x' }, ['no']],
  ['errors before error', { errors: ['a'], error: 'b', message: 'c' }, ['a']],
  ['an empty text is no reason', { errors: ['', 'a'] }, ['a']],
  ['no reason in the list', { errors: [] }, []],
  ['an empty object', {}, []],
  ['an object it does not know', { detail: 'x' }, []],
  ['errors of another shape', { errors: [{ field: 'inTime' }] }, []],
  ['a number', 400, []],
  ['a text', 'Bad Request', []],
  ['HTML', '<!doctype html><title>400</title>', []],
  ['null', null, []],
  ['nothing', undefined, []],
  ['a list', ['ec00011'], []],
])('[contract 3] %s', (_, body, reasons) => {
  expect(refusalReasons(body)).toEqual(reasons)
})

/** Values that a CRM may write in one of the three fields, each with the reasons that are read from it. */
const values: [value: unknown, reasons: string[]][] = [
  [undefined, []],
  [null, []],
  ['', []],
  [[], []],
  [['', 'ec00012'], ['ec00012']],
  [[{ field: 'inTime' }], []],
  [{ code: 4 }, []],
  [400, []],
  ['ec00011', ['ec00011']],
]

const bodies = values.flatMap((errors) =>
  values.flatMap((error) => values.map((message) => ({ errors, error, message }))),
)

test.each(bodies)('[contract 2] what says nothing is as absent: $errors.0, $error.0, $message.0', (said) => {
  const body: object = JSON.parse(
    JSON.stringify({ errors: said.errors[0], error: said.error[0], message: said.message[0] }),
  )
  const first = [said.errors, said.error, said.message].find(([, reasons]) => reasons.length > 0)
  expect(refusalReasons(body)).toEqual(first?.[1] ?? [])
})

test('[contract 2] a list of texts beside nulls', () => {
  expect(refusalReasons({ errors: ['ec00012'], error: null, message: null })).toEqual(['ec00012'])
})
