import type { ReactNode } from 'react'

/** Japanese without spaces that is longer than a line of a small phone. */
const LONG_NAME = /^[\p{scx=Han}\p{scx=Katakana}]{13,}$/u
/** The default of every browser. happy-dom has no default and would put spaces between the spans' texts. */
const INLINE = { display: 'inline' }

/**
 * Wraps each word of a long Japanese name in a span, so that lines break only between words. Other texts are returned
 * unchanged, and so is every text in a browser without Intl.Segmenter (Firefox before 125).
 */
export function breakableName(name: string): ReactNode {
  if (!LONG_NAME.test(name) || !('Segmenter' in Intl)) return name
  const segments = [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(name)]
  return (
    <span className="words">
      {segments.map(({ segment, index }, i) =>
        // A ・ stays with the word before it, because no line begins with ・.
        segment === '・' ? null : (
          <span key={index} style={INLINE}>
            {segments[i + 1]?.segment === '・' ? `${segment}・` : segment}
          </span>
        ),
      )}
    </span>
  )
}
