import { type ReactNode, useId } from 'react'
import { ButtonAnchor, type ButtonAnchorProps } from './button.tsx'

interface BarredLinkProps extends Pick<ButtonAnchorProps, 'icon' | 'tall' | 'wide' | 'variant'> {
  reason: string
  children: ReactNode
}

/** A disabled link. It stays visible, and screen readers announce the reason. */
export function BarredLink({ reason, ...look }: BarredLinkProps) {
  const id = useId()
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <a> without href has no role */}
      <ButtonAnchor {...look} role="link" tabIndex={0} aria-disabled="true" aria-describedby={id} />
      <span id={id} hidden>
        {reason}
      </span>
    </>
  )
}
