! SPDX-License-Identifier: GPL-2.0-or-later
! What Fortran has and C has not: arrays that begin with any subscript, text of a length without NUL, procedures of modules.
module shapes
  implicit none
  type named
    integer :: x
    character(len=8) :: text
  end type
contains
  integer function added(a, p, low)
    integer, value :: a
    type(named), intent(in) :: p
    integer, intent(in) :: low(-2:2)
    added = a + p%x + low(0)
  end function
end module

subroutine plain(v, neg, text)
  implicit none
  integer, intent(in) :: v(3), neg(-5:-3)
  character(len=6), intent(in) :: text
  print *, v(3) + neg(-4), text
end subroutine

program bounds
  use shapes
  implicit none
  type(named) :: p
  integer :: low(-2:2) = [10, 20, 30, 40, 50], v(3) = [4, 5, 6], neg(-5:-3) = [7, 8, 9]
  p%x = 9
  p%text = 'fortran!'
  call plain(v, neg, 'string')
  if (added(3, p, low) /= 42) print *, 'wrong'
end program
