/**
 * Decides how an element renders a text in a language other than Japanese (decisions/screens):
 *
 *     やさしい日本語   content     <ruby>安全<rt>あんぜん</rt></ruby>
 *                     attributes  あんぜん
 *     English, …      content     Japanese text (from the CRM or a user) is marked lang="ja"
 *
 * A text that needs several elements is wrapped in one span, because a flex container would lay out each element
 * separately.
 */
import { Fragment, type ReactNode } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'
import { shownLanguage, SOURCE_LANGUAGE } from '#lib/language.ts'

/** Kanji with their reading, between the three marks that `.build/catalogues.ts` inserts. */
const ANNOTATED = /\uFFF9([^\uFFFA]*)\uFFFA([^\uFFFB]*)\uFFFB/gu
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
/** A run of Japanese letters, including signs between them. */
const JAPANESE_RUN =
  /([\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々ー](?:[^A-Za-zÀ-ỹ]*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々ー])*)/u
const LATIN = /[A-Za-zÀ-ỹ]/u
const TEXT_ONLY = new Set(['option', 'title', 'textarea', 'text', 'tspan'])

export type Props = Readonly<Record<string, unknown>>

export const withReadings = (text: string): string => text.replaceAll(ANNOTATED, '$2')

/** Returns the props with all texts localized. @param type tag name, Fragment or component */
export function localizedProps(type: unknown, props: Props): Props {
  const language = shownLanguage()
  if (language === SOURCE_LANGUAGE || typeof type === 'function') return props
  return language === 'ja-x-easy' ? withRuby(type, props) : withLang(type, props)
}

function withRuby(type: unknown, props: Props): Props {
  const entries = Object.entries(props)
  if (!entries.some(([name, value]) => name === 'children' || isMarked(value))) return props
  const isText = typeof type === 'string' && TEXT_ONLY.has(type)
  const localized = (name: string, value: unknown) => {
    if (name === 'children' && !isText) return mapTexts(value, rubyOf)
    if (name === 'children') return mapTexts(value, withReadings)
    return typeof type === 'string' && isMarked(value) ? withReadings(value) : value
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, localized(name, value)]))
}

const isMarked = (value: unknown): value is string => typeof value === 'string' && value.includes('\uFFF9')

function rubyOf(text: string): ReactNode {
  if (!isMarked(text)) return text
  const parts = text.split(ANNOTATED)
  const children = parts.flatMap((part, i): ReactNode[] => {
    if (i % 3 === 0) return [part]
    return i % 3 === 1 ? [jsxs('ruby', { children: [part, jsx('rt', { children: parts[i + 1] })] })] : []
  })
  return jsxs('span', { children })
}

function withLang(type: unknown, props: Props): Props {
  const { children, lang } = props
  const isTag = typeof type === 'string'
  if (lang !== undefined) return props
  if (isTag && typeof children === 'string' && JAPANESE.test(children))
    if (TEXT_ONLY.has(type) || !LATIN.test(children)) return { ...props, lang: 'ja' }
  return isTag && TEXT_ONLY.has(type) ? props : { ...props, children: mapTexts(children, langOf) }
}

function langOf(text: string): ReactNode {
  if (!JAPANESE.test(text)) return text
  const parts = text.split(JAPANESE_RUN)
  const children = parts.map((part, i) => (i % 2 === 0 ? part : jsx('span', { lang: 'ja', children: part })))
  return jsxs('span', { children })
}

/** Maps the texts among an element's children. Returns the same children if no text changes. */
function mapTexts(children: unknown, map: (text: string) => ReactNode): unknown {
  if (typeof children === 'string') return map(children)
  if (!Array.isArray(children)) return children
  const mapped = children.map((child: unknown, key) => {
    if (typeof child !== 'string') return mapTexts(child, map)
    const node = map(child)
    // React requires keys for children from a loop.
    return typeof node === 'string' ? node : jsx(Fragment, { children: node }, key)
  })
  return mapped.some((each, i) => each !== children[i]) ? mapped : children
}
