/**
 * Decides how an element renders a text in a language other than Japanese (decisions/screens):
 *
 *     やさしい日本語   content     <ruby>安全<rt>あんぜん</rt></ruby>
 *                     attributes  あんぜん
 *     English, …      content     Japanese letters, which are the CRM's or a user's, are marked lang="ja"
 *
 * A text of several parts is in one span, because a flex container lays out each of its children.
 */
import { Fragment, type ReactNode } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'
import { shownLanguage, SOURCE_LANGUAGE } from '#lib/language.ts'

/** Kanji with their reading, as `.build/catalogues.ts` marks them. */
const ANNOTATED = /\uFFF9([^\uFFFA]*)\uFFFA([^\uFFFB]*)\uFFFB/gu
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
/** A run of Japanese letters, including the signs between two of them. */
const RUN =
  /([\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々ー](?:[^A-Za-zÀ-ỹ]*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々ー])*)/u
const LATIN = /[A-Za-zÀ-ỹ]/u

/** Elements whose content is text only. */
const TEXT_ONLY = new Set(['option', 'title', 'textarea', 'text', 'tspan'])

export type Props = Readonly<Record<string, unknown>>

/** Replaces annotated kanji by their readings. */
export const withReadings = (text: string): string => text.replaceAll(ANNOTATED, '$2')

/**
 * Returns the props that an element is rendered with.
 * @param type of the element: a tag, Fragment, or a component
 */
export function drawnProps(type: unknown, props: Props): Props {
  const language = shownLanguage()
  if (language === SOURCE_LANGUAGE || typeof type === 'function') return props
  return language === 'ja-x-easy' ? withRuby(type, props) : withLang(type, props)
}

function withRuby(type: unknown, props: Props): Props {
  const entries = Object.entries(props)
  if (!entries.some(([name, value]) => name === 'children' || isMarked(value))) return props
  const isText = typeof type === 'string' && TEXT_ONLY.has(type)
  const drawn = (name: string, value: unknown) => {
    if (name === 'children' && !isText) return mapTexts(value, rubyOf)
    if (name === 'children') return mapTexts(value, withReadings)
    return typeof type === 'string' && isMarked(value) ? withReadings(value) : value
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, drawn(name, value)]))
}

const isMarked = (value: unknown): value is string => typeof value === 'string' && value.includes('\uFFF9')

function rubyOf(text: string): ReactNode {
  if (!isMarked(text)) return text
  // The parts repeat in this order: plain text, kanji, reading.
  const parts = text.split(ANNOTATED)
  const children = parts.flatMap((part, at): ReactNode[] => {
    if (at % 3 === 0) return [part]
    return at % 3 === 1 ? [jsxs('ruby', { children: [part, jsx('rt', { children: parts[at + 1] })] })] : []
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
  const parts = text.split(RUN)
  const children = parts.map((part, at) =>
    at % 2 === 0 ? part : jsx('span', { lang: 'ja', children: part }),
  )
  return jsxs('span', { children })
}

/** Maps the texts among an element's children. If no text changes, the children are returned as they are. */
function mapTexts(children: unknown, of: (text: string) => ReactNode): unknown {
  if (typeof children === 'string') return of(children)
  if (!Array.isArray(children)) return children
  const mapped = children.map((child: unknown, key) => {
    if (typeof child !== 'string') return mapTexts(child, of)
    const drawn = of(child)
    // It needs a key, because the children may be a list that a loop made.
    return typeof drawn === 'string' ? drawn : jsx(Fragment, { children: drawn }, key)
  })
  return mapped.some((each, at) => each !== children[at]) ? mapped : children
}
