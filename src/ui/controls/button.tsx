import { createLink } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useId } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './button.module.css'

type ButtonVariant = 'primary' | 'quiet' | 'danger' | 'danger-solid' | 'plain'

interface Look {
  variant?: ButtonVariant | undefined
  tall?: boolean | undefined
  wide?: boolean | undefined
  /** Takes less than an equal share of the width in an action bar or a sheet's footer. */
  narrow?: boolean | undefined
  icon?: LucideIcon | undefined
}

export type ButtonProps = Look & { busy?: boolean | undefined } & ComponentPropsWithRef<'button'>

/** A button. While `busy`, it shows a spinner instead of its icon and ignores presses; the label stays. */
export function Button({ busy, icon, onClick, type = 'button', ...props }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => (busy ? event.preventDefault() : onClick?.(event))
  return (
    <button
      {...dressed({ ...props, icon: busy ? LoaderCircle : icon })}
      type={type}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || props['aria-disabled']}
    />
  )
}

export type ButtonAnchorProps = Look & { current?: 'date' | 'page' | undefined } & ComponentPropsWithRef<'a'>

/** A link styled as a button. Only `current` sets `aria-current`: the router also marks links to parent paths. */
export function ButtonAnchor({ current, ...props }: ButtonAnchorProps) {
  const { children, ...anchor } = dressed(props)
  return (
    <a {...anchor} aria-current={current}>
      {children}
    </a>
  )
}

/** A router link styled as a button. It takes `to`, `params` and `search` as Link does. */
export const ButtonLink = createLink(ButtonAnchor)

function dressed<P extends Look & { className?: string | undefined; children?: ReactNode }>(props: P) {
  const { variant = 'quiet', tall, wide, narrow, icon, className, children, ...rest } = props
  return {
    ...rest,
    className: cx(styles.button, styles[variant], tall && styles.tall, wide && styles.wide, className),
    'data-narrow': narrow || undefined,
    children: (
      <>
        {icon && <Icon as={icon} />}
        {children}
      </>
    ),
  }
}

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
