# The stages that set up the layered file system at /workspace. Sourced.
set_up_workspace() {
    start_stage tools
    require_mount_programs
    start_stage libraries
    install_libraries
    start_stage layers
    mount_layers
    start_stage upper_disk
    find_upper_disk
    format_if_blank
    mount_upper_disk
    start_stage workspace
    mount_workspace
}
