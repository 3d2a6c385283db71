import { createLink } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './button.module.css'

type ButtonVariant = 'primary' | 'quiet' | 'danger' | 'danger-solid' | 'plain'

interface Look {
  variant?: ButtonVariant | undefined
  /** 56 px high, like a primary button. */
  tall?: boolean | undefined
  wide?: boolean | undefined
  /** Takes less than an equal share of the width in an action bar or a sheet's footer. */
  narrow?: boolean | undefined
  icon?: LucideIcon | undefined
}

export type ButtonProps = Look & { busy?: boolean | undefined } & ComponentPropsWithRef<'button'>

/** A button. While `busy`, it shows a spinner instead of its icon and ignores presses; the label stays. */
export function Button({ variant = 'quiet', tall, wide, narrow, icon, busy, ...props }: ButtonProps) {
  const { children, className, onClick, type = 'button', ...rest } = props
  const press = (event: MouseEvent<HTMLButtonElement>) => (busy ? event.preventDefault() : onClick?.(event))
  return (
    <button
      {...rest}
      type={type}
      onClick={press}
      className={cx(look({ variant, tall, wide }), className)}
      data-narrow={narrow || undefined}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
    >
      <Inside icon={busy ? LoaderCircle : icon}>{children}</Inside>
    </button>
  )
}

export type ButtonAnchorProps = Look & { current?: 'date' | 'page' | undefined } & ComponentPropsWithRef<'a'>

/**
 * A plain link styled as a button, for other sites, `tel:` links and new tabs. Only `current` sets `aria-current`. The
 * router's own `aria-current` is dropped, because the router also marks links to a parent path, such as the list.
 */
export function ButtonAnchor(props: ButtonAnchorProps) {
  const { variant = 'quiet', tall, wide, narrow, icon, current, children, className, ...rest } = props
  return (
    <a
      {...rest}
      className={cx(look({ variant, tall, wide }), className)}
      aria-current={current}
      data-narrow={narrow || undefined}
    >
      <Inside icon={icon}>{children}</Inside>
    </a>
  )
}

/** A router link styled as a button. It takes `to`, `params` and `search` as Link does. */
export const ButtonLink = createLink(ButtonAnchor)

function Inside({ icon, children }: { icon: LucideIcon | undefined; children: ReactNode }) {
  return (
    <>
      {icon && <Icon as={icon} />}
      {children}
    </>
  )
}

function look({ variant, tall, wide }: Look): string {
  return cx(styles.button, variant && styles[variant], tall && styles.tall, wide && styles.wide)
}
