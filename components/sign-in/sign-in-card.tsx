import { Logo } from '@/components/shared/logo';
import { ThemeToggle } from '@/components/ui/controls/theme-toggle';

/** One card on an empty page, outside the console. */
export function SignInCard({ title, children }: { title: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="relative grid min-h-dvh grid-rows-[1fr_auto_1.4fr] justify-items-center px-4">
      <div className="absolute top-2 right-2">
        <ThemeToggle />
      </div>
      <main className="row-start-2 w-full max-w-88 py-10">
        <p className="mb-4 flex items-center justify-center gap-2 font-semibold text-lg tracking-tight">
          <Logo className="size-5 text-accent" />
          Redrive
        </p>
        <section className="grid gap-4 rounded-lg border border-line-strong bg-panel p-6 max-sm:p-5">
          <h1 className="font-semibold text-lg tracking-tight">{title}</h1>
          {children}
        </section>
      </main>
    </div>
  );
}
