/** A free text keeps its lines wherever it is shown: what to watch out for, how one gets in, are written as lists. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test.each([
  ['the rows of a request, of a report', 'layout/defs', '.defs dd'],
  ['what a question is about, a popup', 'request/brief', '.brief dd'],
  ['a note, an emergency report', 'request/entry', '.text'],
  ['a past report', 'request/past', '.items dd'],
  ['why a change was refused', 'feedback/queue', '.why'],
  ['why a photo was refused', 'photo/photo', '.error > span'],
  ['a banner', 'feedback/flash', '.text'],
])('[真3] %s', async (_, file, selector) => {
  const css = await readFile(`src/ui/${file}.module.css`, 'utf8')
  const rules = css
    .split('}')
    .filter((rule) => rule.split('{').at(-2)?.trim().split('\n').at(-1)?.trim() === selector)
  expect(rules.join('')).toContain('white-space: pre-line')
})
