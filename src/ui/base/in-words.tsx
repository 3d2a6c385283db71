import type { ReactNode } from 'react'

/** Japanese without spaces that is longer than a line of a small phone. */
const LONG_NAME = /^[\p{scx=Han}\p{scx=Katakana}]{13,}$/u
/** Said of each word, because happy-dom knows no default: it would read them with spaces between them. */
const INLINE = { display: 'inline' }

/**
 * Returns a long name that breaks between its words; to a screen reader it is the same text. Any other text, and any text
 * in a browser that knows no words (Firefox before 125), is returned as it is.
 */
export function inWords(name: string): ReactNode {
  if (!LONG_NAME.test(name) || !('Segmenter' in Intl)) return name
  const segments = [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(name)]
  return (
    <span className="words">
      {segments.map(({ segment, index }, at) =>
        // No line begins with ・.
        segment === '・' ? null : (
          <span key={index} style={INLINE}>
            {segments[at + 1]?.segment === '・' ? `${segment}・` : segment}
          </span>
        ),
      )}
    </span>
  )
}
