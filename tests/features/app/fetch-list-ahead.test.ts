/** [decision 0117] What stands between the login and the list is fetched while somebody types. */
import { afterEach, expect, test } from 'vitest'
import { fetchListAhead } from '#app/fetch-list-ahead.ts'

const FROM = '/assets/ahead-list-1.json'

function openPage(from: string | null = FROM): void {
  const template = document.createElement('template')
  template.id = 'ahead-list'
  if (from !== null) template.dataset['from'] = from
  document.head.replaceChildren(template)
}

const asked = () =>
  [...document.head.querySelectorAll('link')].map(
    ({ rel, href }) => `${rel} ${new URL(href, 'http://localhost').pathname}`,
  )

const answers =
  (body: string, status = 200) =>
  async (url: unknown) => {
    expect(url).toBe(FROM)
    return new Response(body, { status })
  }

afterEach(() => document.head.replaceChildren())

test('each file that the build names is asked for as a module, in order', async () => {
  openPage()
  await fetchListAhead(document, answers('["/assets/list-1.js","/assets/start-sync-1.js"]'))
  expect(asked()).toEqual(['modulepreload /assets/list-1.js', 'modulepreload /assets/start-sync-1.js'])
})

test.each([
  ['a host that knows no such file', '["/assets/list-1.js"]', 404],
  ['a host that answers with its page', '<!doctype html>', 200],
  ['a list that is none', '{"files":["/assets/list-1.js"]}', 200],
  [
    'what is no file of the app',
    '["https://else.example/assets/a.js","/assets/../a.js","/sw.js",7,null]',
    200,
  ],
])('%s: nothing is asked for', async (_, body, status) => {
  openPage()
  await fetchListAhead(document, answers(body, status))
  expect(asked()).toEqual([])
})

test('of a list without end a hundred files are asked for', async () => {
  openPage()
  const files = Array.from({ length: 1000 }, (_, at) => `/assets/file-${at}.js`)
  await fetchListAhead(document, answers(JSON.stringify(files)))
  expect(asked()).toHaveLength(100)
})

test('without a network, or in development, nothing is asked for and nothing thrown', async () => {
  openPage()
  await fetchListAhead(document, () => Promise.reject(new TypeError('Failed to fetch')))
  openPage(null)
  await fetchListAhead(document, () => Promise.reject(new Error('asked')))
  expect(asked()).toEqual([])
})
