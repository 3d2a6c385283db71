import { expect, test } from 'vitest'
import { changedIn, restorable } from '#form/form-autosave.ts'

const defaults = { type: '', note: 'ふた', kinds: ['1'], urgent: false }

test.each<[string, unknown, [string, unknown][]]>([
  ['nothing was kept', null, []],
  ['something else was kept', 'ふた', []],
  ['as it starts', defaults, []],
  [
    'what differs',
    { type: '2', note: 'ふた', kinds: ['1', '2'], urgent: true },
    [
      ['type', '2'],
      ['kinds', ['1', '2']],
      ['urgent', true],
    ],
  ],
  [
    'what was emptied',
    { ...defaults, note: '', kinds: [] },
    [
      ['note', ''],
      ['kinds', []],
    ],
  ],
  ['a field that was of another kind', { ...defaults, type: ['2'], kinds: { 0: '2' }, urgent: 'yes' }, []],
  ['a field that is no more', { ...defaults, gone: '1' }, []],
  ['a field that was not there', {}, []],
])(
  '[decisions/drafts] a form takes of a draft what fits it and is not as it starts: %s',
  (_, kept, wanted) => {
    expect(restorable(kept, defaults)).toEqual(wanted)
  },
)

test('[decisions/drafts] ticks of a list that another version had longer or shorter stand for other lines: they are left out', () => {
  const starts = { checks: [false, false, false], common: [false, false] }
  const kept = { checks: [true, true], common: [true, false] }
  expect(restorable(kept, starts)).toEqual([['common', [true, false]]])
})

const report = { type: '2', reason1: '4', reason2: '', reportContent: '部品待ち' }

test.each<[string, object, object]>([
  ['nothing', {}, {}],
  ['one field', { reportContent: '' }, { reportContent: '' }],
  ['a reason, with the type it belongs to', { reason1: '5' }, { type: '2', reason1: '5', reason2: '' }],
])('[MG2] of a form is kept what its user has changed: %s', (_, typed, wanted) => {
  expect(changedIn({ ...report, ...typed }, report)).toEqual(wanted)
})
