/** The titles of the first paint: in the words of the app. That each is its screen's own: layout-shift.e2e.ts. */
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { titleOf } from '#app/shell/screen-titles.ts'
import { routes } from '../../support/routes.ts'

const catalogue = readFileSync('src/locales/ja.po', 'utf8')

const titles = Object.values(routes).flatMap(([, href]) => {
  const title = titleOf(new URL(href, 'https://app.test').pathname)
  return title === null ? [] : [title]
})

test.each(titles)('[decisions/speed] %s is a title that the app says, too', (title) => {
  expect(catalogue).toContain(`msgid "${title}"`)
})

test('[decisions/speed] what is no address of a screen has none', () => {
  for (const path of ['/nowhere', '/request/r1/more', '/not-found', '/login'])
    expect(titleOf(path)).toBeNull()
})

test.each([
  ['/request/', '依頼検索'],
  ['/settings/', '設定'],
  ['/quickReport/r1/edit/', '退館報告編集'],
  ['/request//', null],
  ['/quickReport//edit', null],
])('[decisions/speed] a slash at the end is none, and no part is empty: %s', (path, title) => {
  expect(titleOf(path)).toBe(title)
})
