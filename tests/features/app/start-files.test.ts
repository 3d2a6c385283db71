/** [decision 0116] How the files of a start are asked for: what Chromium has compiled of them is taken. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepStartFiles } from '#app/keep-start-files.ts'
import { fetchAhead } from '#app/fetch-ahead.ts'
import { fetchStart } from '#app/start-files.ts'

const FIRST = ['/assets/routes-1.js', '/assets/first-1.js']
const REST = ['/assets/device-1.js', '/assets/list-1.js']

/** A page of this build. */
function openPage(build: string, path = '/request'): void {
  vi.stubGlobal('location', new URL(path, 'http://localhost'))
  document.head.replaceChildren()
  const template = document.createElement('template')
  template.id = 'ahead-start'
  template.dataset['build'] = build
  for (const href of FIRST) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href })
    template.content.append(link)
  }
  document.head.append(template)
}

/** What the start loaded; `isKept`: the service worker answered. */
function loaded(files: readonly string[], isKept = true): void {
  const entries = files.map((file) => ({ name: `http://localhost${file}`, workerStart: isKept ? 5 : 0 }))
  const opened = [{ name: location.href }]
  const entriesOf = (type: string) => (type === 'navigation' ? opened : entries) as never
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(entriesOf)
}

const asked = () =>
  [...document.head.querySelectorAll('link')].map((link) => {
    const path = new URL(link.href, 'http://localhost').pathname
    return `${link.rel} ${path}`
  })
const as = (rel: string, files: readonly string[]) => files.map((file) => `${rel} ${file}`)

function startAll(build: string, path?: string): string[] {
  openPage(build, path)
  fetchStart()
  // the first chunk
  fetchAhead(document, 'rest')
  return asked()
}

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgentData: {}, serviceWorker: { controller: {} } })
  localStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  document.head.replaceChildren()
})

/** A first start, of which is kept what it loaded. */
function begun(path?: string, files = ['/assets/index-1.js', ...FIRST, ...REST]): void {
  startAll('/assets/index-1.js', path)
  loaded(files)
  keepStartFiles()
}

test('the first start of a build compiles what comes, the next one takes what was compiled', () => {
  expect(startAll('/assets/index-1.js')).toEqual(as('modulepreload', FIRST))
  begun()
  expect(startAll('/assets/index-1.js')).toEqual(as('preload', [...FIRST, ...REST]))
  const [link] = document.head.querySelectorAll<HTMLLinkElement>('link')
  expect([link?.as, link?.crossOrigin]).toEqual(['script', ''])
  // another build's are not on the device any more
  expect(startAll('/assets/index-2.js')).toEqual(as('modulepreload', FIRST))
})

test('another kind of address has files of its own, and until they are known those of another', () => {
  begun()
  expect(startAll('/assets/index-1.js', '/outbox')).toContain('preload /assets/list-1.js')
  loaded(['/assets/index-1.js', ...FIRST, '/assets/outbox-1.js'])
  keepStartFiles()
  expect(startAll('/assets/index-1.js', '/outbox')).toContain('preload /assets/outbox-1.js')
  expect(startAll('/assets/index-1.js', '/outbox')).not.toContain('preload /assets/list-1.js')
  expect(startAll('/assets/index-1.js', '/request')).toContain('preload /assets/list-1.js')
})

test('a start whose page came without the service worker has nothing compiled: it is not kept', () => {
  startAll('/assets/index-1.js')
  loaded(['/assets/index-1.js', ...FIRST], false)
  keepStartFiles()
  expect(startAll('/assets/index-1.js')).toEqual(as('modulepreload', FIRST))
})

test.each([
  ['no service worker', { userAgentData: {} }],
  ['another browser', { serviceWorker: { controller: {} } }],
])('%s: as at the first start', (_, other) => {
  begun()
  vi.stubGlobal('navigator', other)
  expect(startAll('/assets/index-1.js')).toEqual(as('modulepreload', FIRST))
})

test.each(['', '{', 'null', '[]', '{"build":"/assets/index-1.js"}'])(
  'what is kept is %j: as at the first start',
  (text) => {
    localStorage.setItem('genba:start-files', text)
    expect(startAll('/assets/index-1.js')).toEqual(as('modulepreload', FIRST))
  },
)

test.each([
  ['of another host', 'https://elsewhere.example/assets/a.js'],
  ['out of the folder', '/assets/../sw.js'],
  ['no text', 7],
])('a kept name that is %s is not asked for, and a hundred are the most', (_, name) => {
  const many = Array.from({ length: 150 }, (__, at) => `/assets/a-${at}.js`)
  const files = { 'request/0': [name, ...many] }
  localStorage.setItem('genba:start-files', JSON.stringify({ build: '/assets/index-1.js', files }))
  const found = startAll('/assets/index-1.js')
  expect(found.slice(FIRST.length)).toEqual(as('preload', many.slice(0, 100)))
})

test('a full device keeps nothing, and the start goes on', () => {
  startAll('/assets/index-1.js')
  loaded(['/assets/index-1.js', ...FIRST])
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(keepStartFiles).not.toThrow()
})

test('addresses that the app does not have fill nothing: thirty kinds are kept', () => {
  for (let at = 0; at < 40; at += 1) begun(`/none-${at}`)
  const { files } = JSON.parse(localStorage.getItem('genba:start-files') ?? '{}') as { files: object }
  expect(Object.keys(files)).toHaveLength(30)
})
