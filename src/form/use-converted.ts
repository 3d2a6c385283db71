import { useRef, type ChangeEvent, type CompositionEvent, type FocusEvent } from 'react'

type Text = HTMLInputElement
interface Converted {
  convert: ((text: string) => string) | undefined
  onChange: (text: string) => void
}

/**
 * The handlers of a line of text that is rewritten when it is left, and never before: an input method (IME) that is at
 * work would lose what it composes. Where leaving ends the composition late (Safari), the text is rewritten at its end.
 */
export function useConverted({ convert, onChange }: Converted) {
  const composing = useRef(false)
  const left = useRef(false)
  const rewrite = ({ value }: Text) => {
    const converted = convert?.(value) ?? value
    if (converted !== value) onChange(converted)
  }
  return {
    onChange: ({ currentTarget }: ChangeEvent<Text>) => onChange(currentTarget.value),
    onFocus: () => void (left.current = false),
    onCompositionStart: () => void (composing.current = true),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Text>) => {
      composing.current = false
      if (left.current) rewrite(currentTarget)
    },
    onBlur: ({ currentTarget }: FocusEvent<Text>) => {
      left.current = true
      if (!composing.current) rewrite(currentTarget)
    },
  }
}
