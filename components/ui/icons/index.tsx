import type { SVGProps } from 'react';
import sprite from './icons.svg';

export type Icon = (props: SVGProps<SVGSVGElement>) => React.JSX.Element;

/**
 * A drawing of icons.svg, where lucide's are copied: a page's script and its text then hold only their names. A new one is copied there;
 * `icons.test.ts` says how it must look.
 */
function icon(name: string): Icon {
  const address = `${(sprite as { src: string }).src}#${name}`;
  return (props) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: hidden, or named by its label
    <svg
      width="24"
      height="24"
      strokeWidth="2"
      {...(props['aria-label'] ? { role: 'img' } : { 'aria-hidden': true })}
      {...props}
    >
      <use href={address} />
    </svg>
  );
}

export const ArrowDownToLine = icon('arrow-down-to-line');
export const ArrowRightLeft = icon('arrow-right-left');
export const ArrowUp = icon('arrow-up');
export const ArrowUpToLine = icon('arrow-up-to-line');
export const BadgeX = icon('badge-x');
export const Ban = icon('ban');
export const BellOff = icon('bell-off');
export const BellRing = icon('bell-ring');
export const Bookmark = icon('bookmark');
export const BookmarkPlus = icon('bookmark-plus');
export const CalendarClock = icon('calendar-clock');
export const Check = icon('check');
export const ChevronDown = icon('chevron-down');
export const ChevronRight = icon('chevron-right');
export const ChevronUp = icon('chevron-up');
export const ChevronsLeft = icon('chevrons-left');
export const CircleAlert = icon('circle-exclamation-point');
export const CircleCheck = icon('circle-check');
export const CircleCheckBig = icon('circle-check-big');
export const CircleDashed = icon('circle-dashed');
export const CirclePause = icon('circle-pause');
export const CirclePlus = icon('circle-plus');
export const CircleSlash = icon('circle-slash');
export const CircleStop = icon('circle-stop');
export const Clock = icon('clock');
export const Copy = icon('copy');
export const Cpu = icon('cpu');
export const Database = icon('database');
export const Dot = icon('dot');
export const Download = icon('download');
export const Ellipsis = icon('ellipsis');
export const ExternalLink = icon('external-link');
export const Eye = icon('eye');
export const EyeOff = icon('eye-off');
export const FlaskConical = icon('flask-conical');
export const FlaskConicalOff = icon('flask-conical-off');
export const Gauge = icon('gauge');
export const Ghost = icon('ghost');
export const HeartCrack = icon('heart-crack');
export const Hourglass = icon('hourglass');
export const Inbox = icon('inbox');
export const Info = icon('info');
export const KeyRound = icon('key-round');
export const Keyboard = icon('keyboard');
export const LayoutDashboard = icon('layout-dashboard');
export const Link2 = icon('link-2');
export const List = icon('list');
export const ListChecks = icon('list-checks');
export const ListFilter = icon('list-filter');
export const ListTree = icon('list-tree');
export const ListX = icon('list-x');
export const LoaderCircle = icon('loader-circle');
export const Lock = icon('lock');
export const LockKeyhole = icon('lock-keyhole');
export const LogIn = icon('log-in');
export const LogOut = icon('log-out');
export const MapPinOff = icon('map-pin-off');
export const Minus = icon('minus');
export const Monitor = icon('monitor');
export const MonitorSmartphone = icon('monitor-smartphone');
export const Moon = icon('moon');
export const NotebookPen = icon('notebook-pen');
export const OctagonX = icon('octagon-x');
export const PanelRight = icon('panel-right');
export const Pause = icon('pause');
export const Pencil = icon('pencil');
export const PencilLine = icon('pencil-line');
export const Play = icon('play');
export const Plus = icon('plus');
export const RefreshCcwDot = icon('refresh-ccw-dot');
export const RefreshCw = icon('refresh-cw');
export const RotateCcw = icon('rotate-ccw');
export const RotateCw = icon('rotate-cw');
export const ScrollText = icon('scroll-text');
export const Search = icon('search');
export const SearchX = icon('search-x');
export const ShieldCheck = icon('shield-check');
export const ShieldQuestion = icon('shield-question-mark');
export const ShieldX = icon('shield-x');
export const Skull = icon('skull');
export const SlidersHorizontal = icon('sliders-horizontal');
export const Square = icon('square');
export const SquareArrowOutUpRight = icon('square-arrow-up-right-exit');
export const StickyNote = icon('sticky-note');
export const Sun = icon('sun');
export const Terminal = icon('terminal');
export const Trash2 = icon('trash');
export const TriangleAlert = icon('triangle-exclamation-point');
export const Undo2 = icon('undo-2');
export const Unplug = icon('unplug');
export const UserRound = icon('user-round');
export const UserRoundCog = icon('user-round-cog');
export const UsersRound = icon('users-round');
export const Wifi = icon('wifi');
export const WrapText = icon('text-wrap');
export const X = icon('x');
export const Zap = icon('zap');
export const ZapOff = icon('zap-off');
