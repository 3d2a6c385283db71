import type { ReactNode } from 'react'

/** Japanese text without spaces that does not fit on one line of a small phone. */
const LONG_NAME = /^[\p{scx=Han}\p{scx=Katakana}]{13,}$/u
/** `span` elements are inline in every browser. happy-dom, which the tests use, needs the style to know. */
const INLINE = { display: 'inline' }

/** Lets lines of a long Japanese name break only between words, if the browser has Intl.Segmenter. */
export function breakableName(name: string): ReactNode {
  if (!LONG_NAME.test(name) || !('Segmenter' in Intl)) return name
  const segments = [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(name)]
  return (
    <span className="words">
      {segments.map(({ segment, index }, i) =>
        // A ・ joins the word before it, because no line may begin with ・.
        segment === '・' ? null : (
          <span key={index} style={INLINE}>
            {segments[i + 1]?.segment === '・' ? `${segment}・` : segment}
          </span>
        ),
      )}
    </span>
  )
}
