/** The interface's language: whose choice counts, what is shown meanwhile, and what a device without the catalogue shows. */
import { setupI18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLanguageStore } from '#app/shell/language.ts'
import { SafetyType } from '#schemas/codes.ts'
import { inJapanese, type Language, LANGUAGE_KEY, LANGUAGES, shownLabel } from '#lib/language.ts'
import { dayText, momentText, shortStampText, stampText } from '#lib/time/tokyo-time.ts'
import { activateJapanese } from '#messages/activate-language.ts'
import { i18n as shared } from '../../support/i18n.ts'

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((each) => each !== 'ja')

beforeEach(() => {
  localStorage.clear()
  browserSpeaks('ja-JP', 'en')
})

afterEach(() => {
  vi.restoreAllMocks()
  activateJapanese(shared)
})

function opened(userId: string | null = null, load?: Parameters<typeof createLanguageStore>[2]) {
  const i18n = setupI18n()
  return { i18n, language: createLanguageStore(i18n, userId, load), say: () => i18n._(msg`退館報告`) }
}

const browserSpeaks = (...languages: string[]) =>
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)

test.for([
  { languages: ['vi-VN', 'ja'], offered: 'vi' },
  { languages: ['fil-PH', 'en-US'], offered: 'en' },
  { languages: ['zh-CN'], offered: 'ja' },
  { languages: ['ja-x-easy'], offered: 'ja' },
  { languages: [], offered: 'ja' },
])(
  'a device that nobody has chosen on offers $offered to a browser in $languages',
  async ({ languages, offered }) => {
    browserSpeaks(...languages)
    const { language } = opened()
    expect(language.get()).toBe(offered)
    // a catalogue that arrived later would change the page of the next test
    await language.ready
  },
)

test.for(OTHERS)('%s is loaded, shown without a reload, and gives way to Japanese again', async (chosen) => {
  const { language, say } = opened()
  await language.ready
  expect(say()).toBe('退館報告')
  await language.set(chosen)
  expect(say()).not.toBe('退館報告')
  expect(document.documentElement.lang).toBe(LANGUAGES[chosen].html)
  await language.set('ja')
  expect(say()).toBe('退館報告')
  expect(document.documentElement.lang).toBe('ja')
})

test('a choice at the login is the one of whoever signs in, and each user has an own one', async () => {
  const { language } = opened()
  await language.set('vi')
  language.followUser('u1')
  language.followUser(null)
  await language.set('id')
  language.followUser('u2')
  expect(opened('u1').language.get()).toBe('vi')
  expect(opened('u2').language.get()).toBe('id')
  // the next one who comes to the login, or has never chosen, sees the last one of this device
  expect(opened(null).language.get()).toBe('id')
  language.followUser(null)
  language.followUser('u1')
  expect(language.get()).toBe('vi')
  language.followUser('u3')
  expect(language.get()).toBe('id')
  await vi.waitFor(() => expect(document.documentElement.lang).toBe('id'))
})

test('what is stored and is no choice of this version is not read', () => {
  for (const stored of ['{', '[]', '"vi"', '{"device":"xx","users":{"u1":7}}', '{"users":null}']) {
    localStorage.setItem(LANGUAGE_KEY, stored)
    expect(opened('u1').language.get()).toBe('ja')
  }
})

test('a choice in another tab is this one’s, too', async () => {
  const { language } = opened()
  localStorage.setItem(LANGUAGE_KEY, '{"device":"en","users":{}}')
  window.dispatchEvent(Object.assign(new Event('storage'), { key: LANGUAGE_KEY }))
  expect(language.get()).toBe('en')
  await vi.waitFor(() => expect(document.documentElement.lang).toBe('en'))
})

test.for(OTHERS)('%s stays on the screen when another tab clears the storage', async (shown) => {
  const { language } = opened()
  await language.set(shown)
  localStorage.clear()
  window.dispatchEvent(Object.assign(new Event('storage'), { key: null }))
  expect(language.get()).toBe(shown)
  language.followUser('u1')
  language.followUser(null)
  language.followUser('u2')
  expect(language.get()).toBe(shown)
})

test('a catalogue that is not on the device: Japanese, which is said, and the choice is shown once it arrives', async () => {
  localStorage.setItem(LANGUAGE_KEY, '{"device":"vi","users":{}}')
  let isOnline = false
  const { language, say } = opened(null, async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module')
    return { messages: {}, labels: { 酸欠: 'Thiếu oxy' } }
  })
  await language.ready
  expect(language.get()).toBe('vi')
  expect(language.missing.get()).toBe(true)
  expect(say()).toBe('退館報告')
  expect(document.documentElement.lang).toBe('ja')
  isOnline = true
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(language.missing.get()).toBe(false))
  expect(document.documentElement.lang).toBe('vi')
  expect(shownLabel('酸欠')).toBe('Thiếu oxy')
})

test('the last of two quick choices is shown, whichever catalogue arrives last', async () => {
  const arrive: Partial<Record<Language, () => void>> = {}
  const { language } = opened(null, async (each) => {
    await new Promise<void>((done) => (arrive[each] = done))
    return { messages: {}, labels: { 酸欠: each } }
  })
  const [first, second] = [language.set('vi'), language.set('id')]
  arrive.id?.()
  await second
  arrive.vi?.()
  await first
  expect(shownLabel('酸欠')).toBe('id')
})

test('inJapanese: texts, labels and dates that leave are Japanese, also after one of them has failed', async () => {
  const { language, say } = opened()
  await language.set('vi')
  const texts = () => [
    say(),
    shownLabel(SafetyType.label(SafetyType.code.oxygen)),
    dayText('2026-11-20', '2026-11-20'),
    stampText('2026-11-20T09:31:00+09:00'),
    momentText('2026-11-20T09:31:00+09:00', '2026-11-20'),
    shortStampText('2026-11-20T09:31:00+09:00', '2026-11-20'),
  ]
  const vietnamese = texts()
  const japanese = [
    '退館報告',
    '酸欠',
    '11月20日（金）',
    '2026/11/20 09:31',
    '11月20日（金）09:31',
    '11/20 09:31',
  ]
  expect(inJapanese(texts)).toEqual(japanese)
  for (const text of vietnamese) expect(japanese).not.toContain(text)
  expect(() =>
    inJapanese(() => {
      throw new Error('no picture')
    }),
  ).toThrow('no picture')
  expect(texts()).toEqual(vietnamese)
})
