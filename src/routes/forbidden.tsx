import { createFileRoute } from '@tanstack/react-router'
import { ErrorPage } from '#features/error-page/error-page.tsx'

export const Route = createFileRoute('/forbidden')({ component: () => <ErrorPage kind="forbidden" /> })
