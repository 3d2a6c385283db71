import { createFileRoute } from '@tanstack/react-router'
import { ErrorPage } from '#features/error-page/error-page.tsx'

export const Route = createFileRoute('/not-found')({ component: () => <ErrorPage kind="not-found" /> })
