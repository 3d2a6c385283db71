/** How an element shows a text with readings, and Japanese text in another language (`src/ui/language`). */
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Language, setShownLanguage } from '#lib/language.ts'
import { withReadings } from '#ui/language/marked-text.ts'

afterEach(() => setShownLanguage('ja', {}))

/** 安全《あんぜん》 in the form that `.build/catalogues.ts` makes of it. */
const SAFE = '\uFFF9安全\uFFFAあんぜん\uFFFB'
const RUBY = '<ruby>安全<rt>あんぜん</rt></ruby>'

function htmlIn(language: Language, make: () => ReactNode): string {
  setShownLanguage(language, {})
  return render(make()).container.innerHTML
}

test.for<[string, () => ReactNode, string]>([
  ['content', () => <p>{SAFE}</p>, `<p><span>${RUBY}</span></p>`],
  ['a sentence', () => <p>{`${SAFE}の本`}</p>, `<p><span>${RUBY}の本</span></p>`],
  [
    'content among other',
    () => (
      <p>
        1{SAFE}
        <b>2</b>
      </p>
    ),
    `<p>1<span>${RUBY}</span><b>2</b></p>`,
  ],
  ['a list', () => <p>{['a', SAFE]}</p>, `<p>a<span>${RUBY}</span></p>`],
  ['a fragment', () => <>{SAFE}</>, `<span>${RUBY}</span>`],
  [
    'attributes',
    () => <p aria-label={SAFE} title={`${SAFE}。`} />,
    '<p aria-label="あんぜん" title="あんぜん。"></p>',
  ],
  ['an option', () => <option>{SAFE}</option>, '<option>あんぜん</option>'],
  ['a 《 of the CRM', () => <p>安全《第一》</p>, '<p>安全《第一》</p>'],
])('やさしい日本語: readings in %s', ([, make, html]) => {
  expect(htmlIn('ja-x-easy', make)).toBe(html)
})

test('a text that an own component passes on is marked where it becomes an element', () => {
  const Own = ({ children }: { children: string }) => <b data-length={children.length}>{children}</b>
  expect(htmlIn('ja-x-easy', () => <Own>{SAFE}</Own>)).toBe(
    `<b data-length="${SAFE.length}"><span>${RUBY}</span></b>`,
  )
})

test.for<[string, () => ReactNode, string]>([
  ['a name', () => <p>渋谷ビル</p>, '<p lang="ja">渋谷ビル</p>'],
  [
    'a sentence with a name',
    () => <p>Vào 渋谷ビル 2 lúc</p>,
    '<p><span>Vào <span lang="ja">渋谷ビル</span> 2 lúc</span></p>',
  ],
  ['its own text', () => <p>Vào lúc 09:00</p>, '<p>Vào lúc 09:00</p>'],
  ['a language that is named', () => <option lang="ja">日本語</option>, '<option lang="ja">日本語</option>'],
])('Tiếng Việt: Japanese letters in %s', ([, make, html]) => {
  expect(htmlIn('vi', make)).toBe(html)
})

test('Japanese is drawn as it is', () => {
  expect(htmlIn('ja', () => <p title="安全">安全</p>)).toBe('<p title="安全">安全</p>')
})

test('a text that passes by our JSX has its readings only', () => {
  expect(withReadings(`${SAFE} 第一`)).toBe('あんぜん 第一')
})
